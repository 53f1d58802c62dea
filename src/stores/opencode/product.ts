/** What tells the two products of this family apart: names only, since they share one reader of tables. */
export type Family = {
  product: 'opencode' | 'mimocode';
  /** Names of its databases: one a release channel. */
  fileName: RegExp;
  /** Name of its data folder below the XDG data home. */
  folder: string;
  /** Variable that names the database: absolute, or relative to the data folder. */
  databaseVariable: string;
};

export const opencodeFamily: Family = {
  product: 'opencode',
  fileName: /^opencode(-[A-Za-z0-9._-]+)?\.db$/,
  folder: 'opencode',
  databaseVariable: 'OPENCODE_DB',
};

export const mimocodeFamily: Family = {
  product: 'mimocode',
  fileName: /^mimocode(-[A-Za-z0-9._-]+)?\.db$/,
  folder: 'mimocode',
  databaseVariable: 'MIMOCODE_DB',
};
