import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { databaseFindings } from './database.ts'

describe('database check', async () => {
  const { db, embedded } = await testDatabase()
  const readTexts = async (sandboxWallet: boolean) =>
    (await databaseFindings(db, { embedded, sandboxWallet })).map(({ state, what, fix }) => ({ state, what, fix }))

  it('passes in the sandbox with the default settings, and reports the missing protection', async () => {
    const about = (await readTexts(true)).find(({ what }) => /embedded database/.test(what))
    expect(about?.state).toBe(embedded ? 'good' : undefined)
    expect((await readTexts(true)).filter(({ what, state }) => embedded && (state === 'bad' || /fsync/.test(what)))).toEqual([])
  })

  it('fails for real money on the embedded database, and suggests a fix', async () => {
    const wrong = (await readTexts(false)).filter(({ what }) => /not a power cut/.test(what))
    expect(wrong.map(({ state, fix }) => [state, fix])).toEqual(
      embedded ? [['bad', 'set DATABASE_URL to a PostgreSQL server (docs/operations.md)']] : [],
    )
  })
})
