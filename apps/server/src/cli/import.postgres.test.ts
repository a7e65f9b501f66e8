import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startApiProcess } from '../../test/api-process.ts'
import { testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { oldPlatform, writeImport } from '../../test/import-files.ts'
import { createTestMember, TEST_PASSWORD } from '../../test/members.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
const { db, url } = await testDatabase()
const env = { NODE_ENV: 'test', DATABASE_URL: url, STAFF_SECOND_FACTOR: 'off', LOG_LEVEL: 'silent' }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('imports files that two admins checked on their own, and the audit accepts every balance', async () => {
  const [first, second] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
  const files = path.join(folder, 'files')
  writeImport(files, oldPlatform(3, 500, 'old'))
  const copy = path.join(folder, 'copy')
  cpSync(files, copy, { recursive: true })
  const api = await startApiProcess({ ...process.env, ...env })
  try {
    const run = async (home: string, line: string, input = '') => {
      const [name = '', ...args] = line.split(' ')
      const entry = startEntry(name, { ...env, PUBLIC_URL: api.url, XDG_CONFIG_HOME: path.join(folder, home) }, ...args)
      entry.write(input)
      return { code: await entry.ended, output: entry.output }
    }
    const signIn = (email: string) => run(email, `staff sign-in ${email}`, `${TEST_PASSWORD}\n\n`)
    expect([(await signIn(first.email)).code, (await signIn(second.email)).code]).toEqual([0, 0])
    const proposed = await run(first.email, `import propose ${files}`)
    const hash = /hash: ([0-9a-f]{64})/.exec(proposed.output)?.[1] ?? ''
    expect([proposed.code, proposed.output]).toEqual([0, expect.stringMatching(/members +500/)])
    const checked = await run(second.email, `import check ${copy}`)
    expect([checked.code, checked.output]).toEqual([0, expect.stringContaining(`hash: ${hash}`)])
    expect(await run(first.email, `import approve ${hash}`)).toMatchObject({ code: 1 })
    const wrong = await run(second.email, `import approve ${hash.replace(/./, (digit) => (digit === '0' ? '1' : '0'))}`)
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('No pending proposal has this hash')])
    expect((await run(second.email, `import status ${hash}`)).output).toContain('STAGED: 500 members')
    expect(await run(second.email, `import approve ${hash}`)).toMatchObject({ code: 0 })
    // The worker ends after it has done all due work.
    expect((await run(first.email, 'worker --once')).code).toBe(0)
    expect((await run(second.email, `import status ${hash}`)).output).toContain('DONE: 500 members')
    const audit = await run(first.email, 'ledger-audit --full')
    expect([audit.code, audit.output]).toEqual([0, expect.any(String)])
    const again = await run(first.email, `import propose ${files}`)
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('approved already')])
    appendFileSync(path.join(copy, 'balances.csv'), 'old0,nativeWallet,-1\n')
    const faulty = await run(second.email, `import check ${copy}`)
    expect([faulty.code, faulty.output]).toEqual([1, expect.stringMatching(/balances\.csv:\d+: amount: /)])
  } finally {
    api.child.kill('SIGTERM')
    await api.ended
  }
})
