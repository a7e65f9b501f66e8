import type { Db, Tx } from '../../platform/db/database.ts'

/** Ends the initial setup permanently. Further calls change nothing. */
export async function endSetup(tx: Tx, at: Date): Promise<void> {
  await tx
    .insertInto('setup_end')
    .values({ at })
    .onConflict((conflict) => conflict.column('one').doNothing())
    .execute()
}

/** Returns true if the initial setup has ended. From then on members may register. */
export async function hasSetupEnded(db: Db): Promise<boolean> {
  return (await db.selectFrom('setup_end').select('at').executeTakeFirst()) !== undefined
}
