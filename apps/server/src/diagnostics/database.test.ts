import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { databaseFindings } from './database.ts'

describe('the database', async () => {
  const { db, embedded } = await testDatabase()
  const said = async (playMoney: boolean) =>
    (await databaseFindings(db, { embedded, playMoney })).map(({ state, what, mend }) => ({ state, what, mend }))

  it('is sound for play money as a newcomer starts it, and says what it does not keep', async () => {
    const about = (await said(true)).find(({ what }) => /embedded database/.test(what))
    expect(about?.state).toBe(embedded ? 'good' : undefined)
    expect((await said(true)).filter(({ what, state }) => embedded && (state === 'bad' || /fsync/.test(what)))).toEqual([])
  })

  it('is wrong for money when it is the embedded one, with what mends it', async () => {
    const wrong = (await said(false)).filter(({ what }) => /not a power cut/.test(what))
    expect(wrong.map(({ state, mend }) => [state, mend])).toEqual(
      embedded ? [['bad', 'set DATABASE_URL to a PostgreSQL server (docs/operations.md)']] : [],
    )
  })
})
