import { lstatSync } from 'node:fs';
import { attributesOf, type Attributes } from '../io/atomic.ts';
import { digestFile, type Digest } from '../io/splice.ts';
import { RefusedError, errorCode } from '../model/errors.ts';
import { planAgain } from './advice.ts';

/** What one file was or will be. */
export type FileImage = Digest & { attributes: Attributes };

/** What a file is now. */
export function imageNow(path: string): FileImage {
  return { ...digestFile(path), attributes: attributesOf(path) };
}

/** Whether anything has this name, a dangling link included. */
export function nameTaken(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

export function requirePresent(path: string): void {
  if (!nameTaken(path)) throw new RefusedError(`${path} is not there any more`, planAgain);
}

export function requireAbsent(path: string): void {
  if (nameTaken(path)) throw new RefusedError(`${path} exists already`, planAgain);
}

/** What a file is now, when that is what the plan saw. Throws RefusedError. */
export function requireDigest(path: string, sha256: string): FileImage {
  requirePresent(path);
  const image = imageNow(path);
  if (image.sha256 !== sha256) throw new RefusedError(`${path} is no longer what the plan saw`, planAgain);
  return image;
}
