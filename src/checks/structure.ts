import type { OpenStore } from '../stores/discover.ts';

/** How a store is built: schema versions, sizes and pages of its databases. Nothing of what it holds. */
export type StoreStructure = {
  schema: string | null;
  newestKnownSchema: string | null;
  databases: { fileBytes: number; walBytes: number; pageSize: number; pageCount: number; damage: string | null }[];
};

export function structureOf({ snapshot }: OpenStore): StoreStructure {
  return {
    schema: snapshot.schema?.version ?? null,
    newestKnownSchema: snapshot.schema?.newestKnown ?? null,
    databases: snapshot.databases.map(({ fileBytes, walBytes, pageSize, pageCount, damage }) => ({ fileBytes, walBytes, pageSize, pageCount, damage: damage?.kind ?? null })),
  };
}
