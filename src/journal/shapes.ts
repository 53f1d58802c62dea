import { isObject } from '../model/values.ts';

/** Says what is wrong with a parsed value and where (`rows[0].key is missing`), or null. */
export type Shape = (value: unknown, at: string) => string | null;

export function is(what: string, holds: (value: unknown) => boolean): Shape {
  return (value, at) => (holds(value) ? null : `${at} is ${value === undefined ? 'missing' : `not ${what}`}`);
}

export const text = is('a text', (value) => typeof value === 'string');
export const number = is('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const flag = is('true or false', (value) => typeof value === 'boolean');
export const whole = is('a whole number', Number.isSafeInteger);
export const fromOne = is('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) >= 1);
export const anything: Shape = (value, at) => (value === undefined ? `${at} is missing` : null);

const isList = is('a list', Array.isArray);
const isNamed = is('an object', isObject);

export function list(item: Shape): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return isList(value, at);
    for (const [index, one] of value.entries()) {
      const problem = item(one, `${at}[${index}]`);
      if (problem !== null) return problem;
    }
    return null;
  };
}

/** An object whose names are data. */
export function record(item: Shape): Shape {
  return (value, at) => {
    if (!isObject(value)) return isNamed(value, at);
    for (const [name, one] of Object.entries(value)) {
      const problem = item(one, `${at}[${JSON.stringify(name)}]`);
      if (problem !== null) return problem;
    }
    return null;
  };
}

/** An object with these fields; further ones are let be, as a later version may write them. */
export function fields(needed: { [name: string]: Shape }, optional: { [name: string]: Shape } = {}): Shape {
  return (value, at) => {
    if (!isObject(value)) return isNamed(value, at);
    for (const [name, shape] of Object.entries(needed)) {
      const problem = shape(value[name], `${at}.${name}`);
      if (problem !== null) return problem;
    }
    for (const [name, shape] of Object.entries(optional)) {
      const problem = value[name] === undefined ? null : shape(value[name], `${at}.${name}`);
      if (problem !== null) return problem;
    }
    return null;
  };
}

/** The first shape that fits counts; `what` says what would. */
export function either(what: string, ...shapes: readonly Shape[]): Shape {
  return is(what, (value) => shapes.some((shape) => shape(value, '') === null));
}
