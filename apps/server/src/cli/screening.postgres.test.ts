import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startApiProcess } from '../../test/api-process.ts'
import { testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember, TEST_PASSWORD } from '../../test/members.ts'
import { screeningCsv } from '../../test/screening-calls.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'screening-'))
const { db, url } = await testDatabase()
const env = { NODE_ENV: 'test', DATABASE_URL: url, STAFF_SECOND_FACTOR: 'off', LOG_LEVEL: 'silent' }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('puts a list of two admins in force, compares all members, and refuses files that are cut off or of 500 MB', async () => {
  const [first, second] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
  const listed = await createTestMember(db, { name: 'Jane Roe' })
  const [list, cut, huge] = ['list', 'cut', 'huge'].map((name) => path.join(folder, `${name}.csv`)) as [string, string, string]
  writeFileSync(list, screeningCsv(['EU,1,"ROE, Jane",,,']))
  writeFileSync(cut, screeningCsv(['EU,1,"ROE, Jane",,,'], ''))
  writeFileSync(huge, '')
  truncateSync(huge, 500_000_000)
  const api = await startApiProcess({ ...process.env, ...env })
  try {
    const run = async (home: string, line: string, input = '') => {
      const [name = '', ...args] = line.split(' ')
      const entry = startEntry(name, { ...env, PUBLIC_URL: api.url, XDG_CONFIG_HOME: path.join(folder, home) }, ...args)
      entry.write(input)
      return { code: await entry.ended, output: entry.output }
    }
    for (const { email } of [first, second]) await run(email, `staff sign-in ${email}`, `${TEST_PASSWORD}\n\n`)
    const refusal = async (line: string) => {
      const { code, output } = await run(first.email, line)
      expect(code).toBe(1)
      return output
    }
    expect(await refusal(`screening propose ${cut}`)).toContain('the end mark is missing')
    expect(await refusal(`screening propose ${huge}`)).toContain('larger than 20 MB')
    const proposed = await run(first.email, `screening propose ${list}`)
    const hash = /hash: ([0-9a-f]{64})/.exec(proposed.output)?.[1] ?? ''
    expect((await run(second.email, `screening check ${list}`)).output).toContain(hash)
    expect(await run(first.email, `screening approve ${hash}`)).toMatchObject({ code: 1 })
    expect(await run(second.email, `screening approve ${hash}`)).toMatchObject({ code: 0 })
    expect((await run(first.email, 'worker --once')).code).toBe(0)
    const hits = await db.selectFrom('screening_hit').select('member_id').execute()
    expect(hits).toEqual([{ member_id: listed.id }])
  } finally {
    api.child.kill('SIGTERM')
    await api.ended
  }
})
