import type { Db } from '../apps/server/src/platform/database.ts'

/** Prints how long a leader's pages take on the server. */
export async function timePages(_db: Db): Promise<void> {}
