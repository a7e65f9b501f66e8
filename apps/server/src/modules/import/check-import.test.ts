import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkImport } from './check-import.ts'
import { formatFault, MAX_LISTED_FAULTS } from './faults.ts'

const root = mkdtempSync(path.join(tmpdir(), 'import-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const HEADER = 'id,email,name,phone,referral_code,sponsor_id,joined_at,verified,active,password_hash'
const BCRYPT = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
const member = (id: string, sponsor = '', changes: Record<string, string> = {}) =>
  Object.values({
    id,
    email: `${id}@gmail.com`,
    name: `Member ${id}`,
    phone: '+2348031234567',
    code: `CODE${id}00`,
    sponsor,
    joined: '2021-03-04T05:06:07Z',
    verified: 'true',
    active: 'true',
    hash: BCRYPT,
    ...changes,
  }).join(',')

const VALID = {
  'members.csv': [HEADER, member('a'), member('b', 'a'), member('c', 'b', { name: '"Li, ""Bo"""', hash: '' })].join('\n'),
  'balances.csv': 'member_id,wallet,amount\na,depositWallet,12.5\nb,nativeWallet,0.00000001\nb,depositWallet,1\n',
  'standing.csv': 'member_id,rank,special\na,gold,false\nb,,true\n',
  'totals.json': JSON.stringify({
    members: 3,
    referrals: 2,
    balances: { depositWallet: '13.50', nativeWallet: '0.00000001' },
    specialMembers: 1,
    ranked: 1,
  }),
}

const NOW = new Date('2026-03-10T12:00:00Z')
const STAKES = 'member_id,plan,wallet,amount,percent,duration_days,started_at,paid_days'
/** The valid files with stakes, each with a day's reward of 1 coin, and their control sums. */
const stakes = (rows: readonly string[], sums: object = {}) => ({
  'stakes.csv': [STAKES, ...rows, ''].join('\n'),
  'totals.json': JSON.stringify({
    ...(JSON.parse(VALID['totals.json']) as { balances: object }),
    balances: { depositWallet: '13.50', nativeWallet: '0.00000001', stakeWallet: String(100 * rows.length) },
    stakes: rows.length,
    promisedCoin: {},
    ...sums,
  }),
})
const STAKE = 'a,Plan,icoWallet,100,50,50,2026-02-28T11:00:00Z,9'

const NFT = 'b,Dome,120,50,12,2025-12-31T11:00:00Z,2'
const nfts = (rows: readonly string[], sums: object = {}) => ({
  'nfts.csv': ['member_id,nft,price,percent,months,bought_at,paid_months', ...rows, ''].join('\n'),
  'totals.json': JSON.stringify({ ...(JSON.parse(VALID['totals.json']) as object), nfts: rows.length, ...sums }),
})

const MOVEMENT = 'a,2020-01-02T03:04:05Z,Bonus,in,usd,1.5,TX-1'
const history = (rows: readonly string[], sums: object = {}) => ({
  'history.csv': ['member_id,happened_at,title,direction,unit,amount,reference', ...rows, ''].join('\n'),
  'totals.json': JSON.stringify({ ...(JSON.parse(VALID['totals.json']) as object), history: rows.length, ...sums }),
})

let turn = 0
/** Checks the valid files with some of them replaced; null leaves a file out. */
async function check(changes: Record<string, string | null> = {}) {
  const folder = mkdtempSync(path.join(root, `${(turn += 1)}-`))
  for (const [name, text] of Object.entries({ ...VALID, ...changes })) if (text !== null) writeFileSync(path.join(folder, name), text)
  const { faults, ...checked } = await checkImport(folder, NOW)
  return { ...checked, count: faults.count, faults: faults.listed.map(formatFault) }
}
const members = (...rows: string[]) => ({ 'members.csv': [HEADER, ...rows].join('\n') })
const balances = (...rows: string[]) => ({ 'balances.csv': ['member_id,wallet,amount', ...rows].join('\n') })

describe('check of an import', () => {
  it('accepts valid files, and hashes every byte', async () => {
    const first = await check()
    expect(first).toMatchObject({
      faults: [],
      totals: { members: 3, referrals: 2, specialMembers: 1, ranked: 1, balances: { depositWallet: 13_50000000n, nativeWallet: 1n } },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await check()).hash).toBe(first.hash)
    expect((await check({ 'standing.csv': VALID['standing.csv'].slice(0, -1) })).hash).not.toBe(first.hash)
  })

  it('reports a byte order mark and CR LF once for a file, and the faults of its rows too', async () => {
    const rows = [HEADER, member('a', 'z'), member('b'), member('c', 'c')]
    const { faults } = await check({ 'members.csv': `\ufeff${rows.join('\r\n')}\r\n` })
    expect(faults.filter((fault) => fault.startsWith('members.csv'))).toEqual([
      expect.stringMatching(/^members.csv:1: .*byte order mark/),
      expect.stringMatching(/^members.csv:1: .*CR LF/),
      expect.stringMatching(/^members.csv:4: sponsor_id: .*own sponsor/),
      expect.stringMatching(/^members.csv:2: sponsor_id: .*no valid member z/),
    ])
  })

  it.each([
    ['a byte order mark', { 'members.csv': `\ufeff${VALID['members.csv']}` }, /^members.csv:1: .*byte order mark/],
    ['CR LF in the header', { 'balances.csv': 'member_id,wallet,amount\r\na,depositWallet,1\r\n' }, /^balances.csv:1: .*CR LF/],
    ['CR LF in a row', balances('a,depositWallet,1\r', 'a,nativeWallet,1'), /^balances.csv:2: .*CR LF/],
    ['semicolons', { 'balances.csv': 'member_id;wallet;amount\na;depositWallet;1\n' }, /^balances.csv:1: .*semicolons/],
    ['a quoted line break', members(member('a', '', { name: '"A\nB"' })), /^members.csv:2: name: .*line break/],
    ['a quote inside a field', members(member('a', '', { name: 'A"B' }), member('b')), /^members.csv:2: .*quote/],
    ['a quote that is not closed', members(member('a'), member('b', '', { name: '"B' }), member('c')), /^members.csv:\d: .*quote/],
    ['a decimal comma', balances('a,depositWallet,1,5'), /^balances.csv:2: .*4 fields instead of 3/],
    ['a quoted decimal comma', balances('a,depositWallet,"1,5"'), /^balances.csv:2: amount: /],
    ['nine decimals', balances('a,depositWallet,1.123456789'), /^balances.csv:2: amount: .*8 decimals/],
    ['an exponent', balances('a,depositWallet,1e18'), /^balances.csv:2: amount: /],
    ['a negative amount', balances('a,depositWallet,-1'), /^balances.csv:2: amount: /],
    ['an amount of 0', balances('a,depositWallet,0.00'), /^balances.csv:2: amount: /],
    ['an amount above 64 bits', balances('a,depositWallet,99999999999999999999'), /^balances.csv:2: amount: /],
    ['NUL', members(member('a', '', { name: 'A\0B' })), /^members.csv:2: name: .*NUL/],
    ['a member without a row', balances('z,depositWallet,1'), /^balances.csv:2: member_id: .*no valid member z/],
    ['a wallet twice', balances('a,depositWallet,1', 'a,depositWallet,1'), /^balances.csv:3: wallet: .*already/],
    ['principal of stakes', balances('a,stakeWallet,1'), /^balances.csv:2: wallet: .*stakes/],
    [
      'the same address in other spelling',
      members(member('a'), member('b', '', { email: ' A@GMAIL.com' })),
      /^members.csv:3: email: Also on line 2/,
    ],
    ['a code twice', members(member('a'), member('b', '', { code: 'codeA00' })), /^members.csv:3: referral_code: Also on line 2/],
    [
      'a member twice',
      members(member('a'), member('a', '', { email: 'b@gmail.com', code: 'CODEB00' })),
      /^members.csv:3: id: Also on line 2/,
    ],
    ['an unknown sponsor', members(member('a', 'z')), /^members.csv:2: sponsor_id: .*no valid member z/],
    ['a member as their own sponsor', members(member('a', 'a')), /^members.csv:2: sponsor_id: .*own sponsor/],
    ['a ring of three', members(member('a', 'c'), member('b', 'a'), member('c', 'b')), /^members.csv:2: sponsor_id: .*ring/],
    ['a sponsor on a later line', members(member('a', 'b'), member('b')), /^members.csv:2: sponsor_id: .*line 3/],
    [
      'a hash that sign-in would compare for minutes',
      members(member('a', '', { hash: BCRYPT.replace('$10', '$31') })),
      /^members.csv:2: password_hash: Must be a bcrypt or Argon2 hash of the accepted cost, or empty$/,
    ],
    ['a join date in the future', members(member('a', '', { joined: '2199-01-01T00:00:00Z' })), /^members.csv:2: joined_at: /],
    [
      'a join date that does not exist',
      members(member('a', '', { joined: '2021-02-30T05:06:07Z' })),
      /^members.csv:2: joined_at: Must be an existing time in UTC/,
    ],
    ['an NFT that has ended', nfts(['b,Dome,120,50,2,2025-12-31T11:00:00Z,1']), /^nfts.csv:2: bought_at: The NFT has ended/],
    ['an NFT paid ahead', nfts(['b,Dome,120,50,12,2025-12-31T11:00:00Z,3']), /^nfts.csv:2: paid_months: Only 2 months/],
    ['an NFT with unpaid months', nfts(['b,Dome,120,50,12,2025-12-31T11:00:00Z,1']), /^nfts.csv:2: paid_months: 2 months have passed/],
    ['an NFT of 121 months', nfts(['b,Dome,120,50,121,2025-12-31T11:00:00Z,2']), /^nfts.csv:2: months: .*1 to 120/],
    ['an NFT of nobody', nfts(['z,Dome,120,50,12,2025-12-31T11:00:00Z,2']), /^nfts.csv:2: member_id: .*no valid member z/],
    [
      'promised USD in another month',
      nfts([NFT], { promisedUsd: { '2026-04': '5' } }),
      /^totals.json: promisedUsd.2026-03: .*counted 0.*contain 5/,
    ],
    ['a movement of nobody', history(['z,2020-01-02T03:04:05Z,Bonus,in,usd,1,']), /^history.csv:2: member_id: .*no valid member z/],
    ['a movement of a negative amount', history(['a,2020-01-02T03:04:05Z,Bonus,in,usd,-1,']), /^history.csv:2: amount: /],
    ['a movement that reverses its text', history(['a,2020-01-02T03:04:05Z,A\u202eB,in,usd,1,']), /^history.csv:2: title: /],
    ['a movement in no unit', history(['a,2020-01-02T03:04:05Z,Bonus,in,eur,1,']), /^history.csv:2: unit: /],
    ['a movement too few', history([MOVEMENT], { history: 2 }), /^totals.json: history: .*counted 2.*contain 1/],
    ['a missing file', { 'standing.csv': null }, /^standing.csv: The file is missing/],
    ['a stake of 1 coin', stakes(['a,Plan,icoWallet,1,50,50,2026-02-28T11:00:00Z,9']), /^stakes.csv:2: amount: .*above 1 coin/],
    ['a stake that has ended', stakes(['a,Plan,icoWallet,100,50,10,2026-02-28T11:00:00Z,9']), /^stakes.csv:2: started_at: .*has ended/],
    ['a stake paid ahead', stakes(['a,Plan,icoWallet,100,50,50,2026-02-28T11:00:00Z,11']), /^stakes.csv:2: paid_days: Only 10 days/],
    [
      'a stake with unpaid days',
      stakes(['a,Plan,icoWallet,100,50,50,2026-02-28T11:00:00Z,6']),
      /^stakes.csv:2: paid_days: .*more than 2 days ago/,
    ],
    ['a wallet that cannot pay for a stake', stakes(['a,Plan,rcmWallet,100,50,50,2026-02-28T11:00:00Z,9']), /^stakes.csv:2: wallet: /],
    ['a stake of half a day', stakes(['a,Plan,icoWallet,100,50,0.5,2026-02-28T11:00:00Z,0']), /^stakes.csv:2: duration_days: /],
    ['a stake of nobody', stakes(['z,Plan,icoWallet,100,50,50,2026-02-28T11:00:00Z,9']), /^stakes.csv:2: member_id: .*no valid member z/],
    [
      'more promised coin than was issued',
      stakes(['a,Plan,icoWallet,14000000000,10000,50,2026-02-28T11:00:00Z,9']),
      /^stakes.csv: The rewards to come add up/,
    ],
    ['principals that differ by one unit', stakes([STAKE.replace(',100,', ',100.00000001,')]), /^totals.json: balances.stakeWallet: /],
    ['stakes without control sums', { 'stakes.csv': `${STAKES}\n${STAKE}\n` }, /^totals.json: stakes: .*counted 0/],
    [
      'promised rewards that differ by one unit',
      stakes([STAKE], { promisedCoin: { '2026-03': '22.00000001', '2026-04': '19' } }),
      /^totals.json: promisedCoin.2026-03: /,
    ],
    [
      'a month without promised rewards',
      stakes([STAKE], { promisedCoin: { '2026-03': '22', '2026-04': '19', '2026-05': '1' } }),
      /2026-05: .*counted 1/,
    ],
    ['an unknown file', { 'wallets.csv': 'id\n1\n' }, /^wallets.csv: .*no file of this name/],
    ['an empty file', { 'members.csv': '' }, /^members.csv:1: The header is missing/],
    [
      'more coin than was issued',
      balances('a,nativeWallet,15000000000', 'b,icoWallet,0.00000001'),
      /^balances.csv: .*15000000000\.00000001 coin/,
    ],
    [
      'control sums that are not text',
      { 'totals.json': '{"members":3,"balances":{"depositWallet":13.5}}' },
      /^totals.json: balances\.depositWallet: /,
    ],
  ])('reports %s with file, line and column', async (_, changes, expected) => {
    expect((await check(changes)).faults).toContainEqual(expect.stringMatching(expected))
  })

  it.each([
    ['members', 2, /members: .*counted 2.*contain 3/],
    ['referrals', 3, /referrals/],
    ['specialMembers', 0, /specialMembers/],
    ['ranked', 2, /ranked/],
    ['balances', { depositWallet: '13.50000001', nativeWallet: '0.00000001' }, /depositWallet: .*13\.50000001.*contain 13\.5/],
    ['balances', { depositWallet: '13.50' }, /nativeWallet: .*counted 0.*contain 0\.00000001/],
  ])('reports %s that differ from the control sums by one', async (key, value, expected) => {
    const { faults } = await check({ 'totals.json': JSON.stringify({ ...(JSON.parse(VALID['totals.json']) as object), [key]: value }) })
    expect(faults).toEqual([expect.stringMatching(expected)])
  })

  it('adds up the days that stakes have not paid, by month', async () => {
    // Days 10 to 50 from 28 February are due on 10 March to 19 April.
    const { faults, totals } = await check(stakes([STAKE], { promisedCoin: { '2026-03': '22', '2026-04': '19' } }))
    expect([faults, totals.promisedCoin]).toEqual([[], { '2026-03': 22_00000000n, '2026-04': 19_00000000n }])
  })

  it('adds up the months that NFTs have not paid, which are due on the last day of shorter months', async () => {
    const months = ['2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11', '2026-12']
    const promisedUsd = Object.fromEntries(months.map((month) => [month, '5']))
    expect((await check(nfts([NFT], { promisedUsd }))).faults).toEqual([])
  })

  it('counts movements before the move, in no sum', async () => {
    const { faults, totals } = await check(history([MOVEMENT, MOVEMENT]))
    expect([faults, totals.history, totals.balances.depositWallet]).toEqual([[], 2, 13_50000000n])
  })

  it('reports the faults of all lines after one with a misplaced or open quote, and after one that is too long', async () => {
    const bad = [
      member('a', '', { name: '"A"B' }),
      member('b', '', { name: '"B' }),
      member('c', '', { name: 'x'.repeat(700_000) }),
      member('d', '', { phone: '1' }),
    ]
    expect((await check(members(...bad, member('e')))).faults.slice(0, 4)).toEqual([
      expect.stringMatching(/^members.csv:2: name: .*wrong place/),
      expect.stringMatching(/^members.csv:3: name: .*not closed/),
      expect.stringMatching(/^members.csv:4: .*longer than 65536/),
      expect.stringMatching(/^members.csv:5: phone: /),
    ])
  })

  it('reads quoted fields with commas, quotes and nothing in them when a column is empty', async () => {
    const quoted = (row: string) => row.replaceAll(/[^,]+/g, '"$&"')
    const row = member('b', '', { hash: '""', name: '"""Li, Bo"""' })
    expect((await check(members(quoted(member('a', '', { hash: '' })), row, member('c')))).faults).toEqual([
      'totals.json: referrals: The old platform counted 2, the files contain 0',
    ])
  })

  it('lists the first 1,000 faults of all files, and counts the others', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `m${index},depositWallet,-1`)
    const { faults, count } = await check(balances(...rows))
    expect([faults.length, faults[0], faults.at(-1)]).toEqual([
      MAX_LISTED_FAULTS,
      expect.stringMatching(/^balances.csv:2: /),
      expect.stringMatching(/^balances.csv:1001: /),
    ])
    // 1,500 amounts, and the control sums of two wallets.
    expect(count).toBe(1_502)
  })
})
