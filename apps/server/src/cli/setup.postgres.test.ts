import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { proposal } from '@tizara/contract/staff-changes'
import { formatUnits, ONE } from '@tizara/money'
import * as v from 'valibot'
import { afterAll, expect, it } from 'vitest'
import { startApiProcess } from '../../test/api-process.ts'
import { testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember, TEST_PASSWORD } from '../../test/members.ts'
import { coverageOf, maxGroupGain } from '../modules/rewards/index.ts'
import { currentOffer, readCatalogue, readRewardPool } from '../modules/staff/index.ts'
import { systemClock } from '../platform/runtime/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { platformText } from './settings-file/export.ts'
import { changesTo, fundingTo, settingsFile, toCurrentPlatform, readLogos, readSettingsFile } from './settings-file/settings-file.ts'

const example = path.join(import.meta.dirname, '../../../../docs/platform.example.json')
const folder = mkdtempSync(path.join(tmpdir(), 'house-'))
const { db, url } = await testDatabase()
const env = { NODE_ENV: 'test', DATABASE_URL: url, STAFF_SECOND_FACTOR: 'off', LOG_LEVEL: 'silent' }
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="9"/></svg>'

const written = (text: string) => {
  const file = path.join(folder, 'platform.json')
  writeFileSync(file, text)
  return file
}
const run = async (command: string, ...args: string[]) => {
  const entry = startEntry(command, { ...env, XDG_CONFIG_HOME: folder }, ...args)
  return { code: await entry.ended, output: entry.output }
}
const currentPlatform = async () => toCurrentPlatform(await readCatalogue(db, deps), await readRewardPool(db, deps, deps.clock.now()))

it('rejects an unknown key at any depth and a duplicate key, and names it', () => {
  for (const [text, fault] of [
    ['{"prise":{"coinPrice":1}}', 'prise: is not a known key'],
    ['{"price":{"coinPrize":1}}', 'price.coinPrize: is not a known key'],
    ['{"plans":[{"planName":"A","duration":1,"minimum":1,"apy":1,"status":"ACTIVE","apr":2}]}', 'plans.0.apr: is not a known key'],
    ['{"price":{"coinPrice":1,"coinPrice":2}}', 'platform.json: '],
  ])
    expect(() => readSettingsFile(written(text ?? ''))).toThrow(fault)
})

it.each(['settings', 'limits', 'programme', 'plan', 'nft', 'popup', 'price'])(
  'refuses an unknown key in a proposal of %s, and names it',
  (subject) => {
    const { issues = [] } = v.safeParse(proposal, { subject, value: { coinPrize: 1 }, reason: 'x' })
    expect(issues.map((issue) => [v.getDotPath(issue), issue.message])).toContainEqual([
      'value.coinPrize',
      expect.stringContaining('coinPrize'),
    ])
  },
)

it('sets up a platform once: first admin, offers, commitment and pool; changes nothing when one part is rejected', async () => {
  const bad = written('{"price":{"coinPrice":2},"settings":{"convertRate":1}}')
  expect((await run('setup', '--admin', 'ada@gmail.com', bad)).code).toBe(1)
  expect(await db.selectFrom('member').selectAll().execute()).toEqual([])
  const { code, output } = await run('setup', '--admin', 'Ada@gmail.com', example)
  expect([code, output]).toEqual([0, expect.stringContaining('Applied: settings, price, commitment, plan, plan, nft, pool (coin).')])
  expect(changesTo(await currentPlatform(), readSettingsFile(example))).toEqual([])
  expect(await coverageOf(db, 'COIN')).toMatchObject({ pool: 100_000n * ONE, committed: 500_000n * ONE })
  expect(await db.selectFrom('mail_outbox').select('recipient').execute()).toEqual([{ recipient: 'ada@gmail.com' }])
  expect(
    (await db.selectFrom('audit_event').select('action').where('action', '=', 'staff.platform.set-up').execute()).length,
  ).toBeGreaterThan(5)
  expect(fundingTo(await currentPlatform(), readSettingsFile(example))).toEqual([])
  const twice = await run('setup', '--admin', 'ada@gmail.com', example)
  expect([twice.output, (await coverageOf(db, 'COIN')).pool]).toEqual([expect.stringContaining('No other values changed.'), 100_000n * ONE])
  const again = await run('setup', '--admin', 'ada@gmail.com', written('{"plans":[],"price":{"coinPrice":"0.0100"}}'))
  expect(again.output).toContain('No other values changed.')
})

it('sets the brand of a file with its logo, and rejects one that cannot be used', async () => {
  const brand = (logo: string) => written(JSON.stringify({ brand: { name: 'Coral', imprint: 'https://coral.example/imprint', logo } }))
  writeFileSync(path.join(folder, 'logo.svg'), LOGO)
  writeFileSync(path.join(folder, 'bad.svg'), LOGO.replace('/>', '><script/></circle>'))
  const missing = await run('setup', '--admin', 'ada@gmail.com', brand('none.svg'))
  expect([missing.code, missing.output]).toEqual([
    2,
    expect.stringMatching(/brand\.logo: \S+ cannot be opened: there is no such file or folder/),
  ])
  const bad = await run('setup', '--admin', 'ada@gmail.com', brand('./bad.svg'))
  expect([bad.code, bad.output]).toEqual([1, expect.stringContaining('The logo cannot be used: it contains a script')])
  expect((await currentPlatform()).brand).toMatchObject({ name: 'Tizara', logo: null })
  const file = brand('./logo.svg')
  expect((await run('setup', '--admin', 'ada@gmail.com', file)).output).toContain('Applied: brand.')
  const { desired } = readLogos(file, readSettingsFile(file))
  expect((await currentPlatform()).brand).toEqual(desired.brand)
  expect(changesTo(await currentPlatform(), desired)).toEqual([])
})

it('[RW-14] prints the maximum withdrawal of a group, and the actions for it', async () => {
  const { code, output } = await run('programme', 'max-gain')
  const percents = [...output.matchAll(/^ *([\d.]+) % {2}(once, from new deposits|every 30 days)/gm)].map(([, percent, what]) => [
    what,
    Number(percent) > 0,
  ])
  expect([code, percents]).toEqual([
    0,
    [
      ['once, from new deposits', true],
      ['every 30 days', true],
    ],
  ])
  const offer = await currentOffer(db, systemClock.now())
  for (const { what, percent } of maxGroupGain(offer).moves) expect(output).toContain(`${formatUnits(percent ?? -1n)} %  ${what}`)
  expect((await run('programme', 'max-gains')).code).toBe(2)
})

it('adds only the missing amount to the pool, and withdraws nothing', async () => {
  const more = written('{"pool":[{"asset":"usd","amount":"20.00000001"},{"asset":"coin","amount":100000}],"commitment":{"usd":6000}}')
  expect((await run('setup', '--admin', 'ada@gmail.com', more)).output).toContain('Applied: commitment, pool (usd).')
  expect(await coverageOf(db, 'USD')).toMatchObject({ pool: 20n * ONE + 1n, committed: 6000n * ONE })
  expect(await coverageOf(db, 'COIN')).toMatchObject({ pool: 100_000n * ONE, committed: 500_000n * ONE })
  for (const [text, fault] of [
    ['{"pool":[{"asset":"coin","amount":99999.5}]}', 'pool: 100000 coin have already been paid in'],
    ['{"pool":[{"asset":"usd","amount":30},{"asset":"usd","amount":40}]}', 'pool: usd is listed twice'],
  ])
    expect(await run('setup', '--admin', 'ada@gmail.com', written(text ?? ''))).toEqual({
      code: 2,
      output: expect.stringContaining(fault ?? ''),
    })
})

it('exports the current settings to a file that changes nothing when it is imported', async () => {
  const text = platformText(await currentPlatform())
  expect(v.parse(settingsFile, JSON.parse(text)).settings).toHaveProperty('minCoin')
  expect(JSON.parse(text)).toMatchObject({ commitment: { coin: 500_000, usd: 6000 } })
  expect(text).toContain('"amount": 20.00000001')
  expect(changesTo(await currentPlatform(), readSettingsFile(written(text)))).toEqual([])
  expect(fundingTo(await currentPlatform(), readSettingsFile(written(text)))).toEqual([])
})

it('rejects a setup when there is a second admin, and proposes the changes of a file instead', async () => {
  const staff = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })] as const
  const late = await run('setup', '--admin', 'ada@gmail.com', example)
  expect([late.code, late.output]).toEqual([
    1,
    expect.stringContaining('Setup of this platform is closed. Propose changes with npm run settings -- import FILE'),
  ])
  const api = await startApiProcess({ ...process.env, ...env })
  try {
    const instance = { PUBLIC_URL: api.url }
    const command = (name: string, input: string, ...args: string[]) => {
      const entry = startEntry(name, { ...env, ...instance, XDG_CONFIG_HOME: folder }, ...args)
      entry.write(input)
      return entry.ended.then((code) => ({ code, output: entry.output }))
    }
    expect((await command('staff', `${TEST_PASSWORD}\n\n`, 'sign-in', staff[0].email)).code).toBe(0)
    const exported = await command('settings', '', 'export')
    const changed = readFileSync(written(exported.output), 'utf8')
      .replace('"apy": 4', '"apy": 5')
      .replace('"usd": 6000', '"usd": 7000')
      .replace('"amount": 20.00000001', '"amount": 50')
    const first = await command('settings', '', 'import', written(changed))
    expect(first).toEqual({ code: 0, output: expect.stringContaining('plan: Proposed; another staff member has to approve it') })
    const filed = () => db.selectFrom('staff_proposal').select(['subject', 'status', 'value']).orderBy('id').execute()
    const fund = { subject: 'fund', status: 'PENDING', value: { asset: 'usd', amount: 29.99999999, source: 'operator' } }
    const proposed = await db.selectFrom('audit_event').select('outcome').where('action', '=', 'staff.change.propose').execute()
    expect(proposed).toEqual([{ outcome: 'ok' }, { outcome: 'ok' }, { outcome: 'ok' }])
    expect(await filed()).toMatchObject([
      { subject: 'commitment', value: { committedUsd: 7000 } },
      { subject: 'plan', status: 'PENDING' },
      fund,
    ])
    // A repeated import before the approval proposes nothing twice.
    const before = await filed()
    const again = await command('settings', '', 'import', written(changed))
    const waits = (what: string) => `${what}: Already pending for a second approver`
    expect(again).toEqual({
      code: 0,
      output: expect.stringContaining([waits('commitment'), waits('plan'), waits('pool (usd)')].join('\n')),
    })
    expect(await filed()).toEqual(before)
    writeFileSync(path.join(folder, 'other.svg'), LOGO.replace('"9"', '"8"'))
    const other = await command(
      'settings',
      '',
      'import',
      written(changed.replace('"apy": 5', '"apy": 6').replace('"logoDark": null', '"logoDark": "other.svg"')),
    )
    expect(other.output).toContain('brand: Proposed; another staff member has to approve it')
    expect(other.output).toContain('plan: Proposed; another staff member has to approve it')
    expect((await command('settings', '', 'import', written('{"plan":[]}'))).code).toBe(2)
  } finally {
    api.child.kill('SIGTERM')
    await api.ended
  }
})
