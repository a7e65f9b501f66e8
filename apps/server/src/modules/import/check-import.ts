import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { TOTAL_SUPPLY } from '@tizara/contract/limits'
import { dailyReward, formatUnits, monthlyReward, type Units } from '@tizara/money'
import * as v from 'valibot'
import { type WalletKind, walletKinds } from '../../ledger/index.ts'
import { CompactMap } from './compact-map.ts'
import { FaultList, MAX_LISTED_FAULTS } from './faults.ts'
import {
  type BalanceRow,
  balancesFile,
  type HistoryRow,
  historyFile,
  type MemberRow,
  membersFile,
  type NftRow,
  nftsFile,
  type StakeRow,
  stakesFile,
  type StandingRow,
  standingFile,
  totalsSchema,
} from './files.rules.ts'
import { compareTotals, type ImportTotals } from './import-totals.ts'
import { PromisedRewards, sourceFault } from './promised-rewards.rules.ts'
import { readRows } from './read-rows.ts'

const TOTALS = 'totals.json'
const REQUIRED: readonly string[] = [membersFile.name, balancesFile.name, standingFile.name, TOTALS]
const FILES: readonly string[] = [...REQUIRED, stakesFile.name, nftsFile.name, historyFile.name]

/** Takes the valid rows of an import, in the order of the files. `member` is the number of the member's row, from 0. */
export interface ImportSink {
  member(row: MemberRow, numbers: { member: number; sponsor: number | undefined; line: number }): void | Promise<void>
  balance(row: BalanceRow, member: number): void | Promise<void>
  standing(row: StandingRow, member: number, line: number): void | Promise<void>
  stake(row: StakeRow, member: number, line: number): void | Promise<void>
  nft(row: NftRow, member: number, line: number): void | Promise<void>
  history(row: HistoryRow, member: number): void | Promise<void>
}

/** Result of a check. The totals are those of the rows. */
export interface CheckedImport {
  faults: FaultList
  totals: ImportTotals
  /** SHA-256 over the names and hashes of all files, in hex. It changes with every byte. */
  hash: string
}

/** Sponsor that was not in the file above the member's row. */
interface LateSponsor {
  member: number
  line: number
  sponsorId: string
}

/**
 * Checks the files of an import (docs/import.md): each row, the relations between rows, and the control sums of `totals.json`. Reads
 * each file once, as a stream, and keeps ids, addresses and codes in memory: about 150 bytes per member.
 * @param sink takes the rows, for a caller that stores them; the rows count only if the check finds no fault
 */
export async function checkImport(folder: string, now: Date, sink?: ImportSink): Promise<CheckedImport> {
  const faults = new FaultList()
  const known = { ids: new CompactMap(), emails: new CompactMap(), codes: new CompactMap() }
  const lines: number[] = []
  const sponsors: (number | undefined)[] = []
  const late: LateSponsor[] = []
  const sums = new Map<WalletKind, Units>(walletKinds.map((wallet) => [wallet, 0n]))
  const totals = { members: 0, referrals: 0, specialMembers: 0, ranked: 0, stakes: 0, nfts: 0, history: 0 }
  const promised = { coin: new PromisedRewards(), usd: new PromisedRewards() }
  const hashes: Record<string, string> = {}

  const names = checkNames(folder, faults)
  if (names === undefined) return { faults, totals: { ...totals, balances: balancesOf(sums), promisedCoin: {}, promisedUsd: {} }, hash: '' }

  hashes[membersFile.name] = await readRows(folder, membersFile, faults, async (row, line) => {
    const fault = (column: string, message: string) => faults.add({ file: membersFile.name, line, column, message })
    const sameId = known.ids.get(row.id)
    if (sameId !== undefined) return fault('id', `Also on line ${lines[sameId]}`)
    const sponsor = row.sponsor_id === '' ? undefined : known.ids.get(row.sponsor_id)
    const member = lines.push(line) - 1
    known.ids.add(row.id, member)
    sponsors.push(sponsor)
    for (const [column, index] of [
      ['email', known.emails],
      ['referral_code', known.codes],
    ] as const) {
      const earlier = index.add(row[column], line)
      if (earlier !== undefined) fault(column, `Also on line ${earlier}`)
    }
    totals.members += 1
    if (row.sponsor_id !== '') totals.referrals += 1
    if (row.sponsor_id === row.id) fault('sponsor_id', 'A member cannot be their own sponsor')
    else if (row.sponsor_id !== '' && sponsor === undefined) late.push({ member, line, sponsorId: row.sponsor_id })
    await sink?.member(row, { member, sponsor, line })
  })
  checkLateSponsors(late, { ids: known.ids, sponsors, lines }, faults)

  const memberOf = (file: string, id: string, line: number): number | undefined => {
    const member = known.ids.get(id)
    if (member === undefined) faults.add({ file, line, column: 'member_id', message: `${membersFile.name} has no valid member ${id}` })
    return member
  }
  const funded = new Uint8Array(lines.length)
  hashes[balancesFile.name] = await readRows(folder, balancesFile, faults, async (row, line) => {
    const member = memberOf(balancesFile.name, row.member_id, line)
    if (member === undefined) return
    const fault = (column: string, message: string) => faults.add({ file: balancesFile.name, line, column, message })
    if (row.wallet === 'stakeWallet') return fault('wallet', `This wallet holds the principal of stakes, which is in ${stakesFile.name}`)
    const bit = 1 << walletKinds.indexOf(row.wallet)
    if (((funded[member] ?? 0) & bit) !== 0) return fault('wallet', 'The member already has a balance in this wallet')
    funded[member] = (funded[member] ?? 0) | bit
    sums.set(row.wallet, (sums.get(row.wallet) ?? 0n) + row.amount)
    await sink?.balance(row, member)
  })

  const standing = new Uint8Array(lines.length)
  hashes[standingFile.name] = await readRows(folder, standingFile, faults, async (row, line) => {
    const member = memberOf(standingFile.name, row.member_id, line)
    if (member === undefined) return
    if (standing[member] === 1) faults.add({ file: standingFile.name, line, column: 'member_id', message: 'The member already has a row' })
    standing[member] = 1
    if (row.special) totals.specialMembers += 1
    if (row.rank !== '') totals.ranked += 1
    await sink?.standing(row, member, line)
  })

  /** Reports what is wrong with a running stake or NFT. */
  const hasSourceFault = (
    open: Parameters<typeof sourceFault>[0],
    { columns, ...at }: { file: string; line: number; columns: Readonly<Record<'start' | 'paid', string>> },
  ): boolean => {
    const fault = sourceFault(open, now)
    if (fault !== undefined) faults.add({ ...at, column: columns[fault.part], message: fault.message })
    return fault !== undefined
  }

  if (names.has(stakesFile.name))
    hashes[stakesFile.name] = await readRows(folder, stakesFile, faults, async (row, line) => {
      const member = memberOf(stakesFile.name, row.member_id, line)
      if (member === undefined) return
      const open = { stream: 0, startsAt: row.started_at, steps: row.duration_days, paid: row.paid_days } as const
      const columns = { start: 'started_at', paid: 'paid_days' }
      if (hasSourceFault(open, { file: stakesFile.name, line, columns })) return
      totals.stakes += 1
      sums.set('stakeWallet', (sums.get('stakeWallet') ?? 0n) + row.amount)
      promised.coin.add({ ...open, reward: dailyReward(row.amount, row.percent, row.duration_days) })
      await sink?.stake(row, member, line)
    })

  if (names.has(nftsFile.name))
    hashes[nftsFile.name] = await readRows(folder, nftsFile, faults, async (row, line) => {
      const member = memberOf(nftsFile.name, row.member_id, line)
      if (member === undefined) return
      const open = { stream: 2, startsAt: row.bought_at, steps: row.months, paid: row.paid_months } as const
      const columns = { start: 'bought_at', paid: 'paid_months' }
      if (hasSourceFault(open, { file: nftsFile.name, line, columns })) return
      totals.nfts += 1
      promised.usd.add({ ...open, reward: monthlyReward(row.price, row.percent, row.months) })
      await sink?.nft(row, member, line)
    })

  if (names.has(historyFile.name))
    hashes[historyFile.name] = await readRows(folder, historyFile, faults, async (row, line) => {
      const member = memberOf(historyFile.name, row.member_id, line)
      if (member === undefined) return
      totals.history += 1
      await sink?.history(row, member)
    })

  const found = { ...totals, balances: balancesOf(sums), promisedCoin: promised.coin.byMonth(), promisedUsd: promised.usd.byMonth() }
  checkSupply(found, faults)
  hashes[TOTALS] = checkTotals(folder, found, faults)
  const hash = createHash('sha256')
  for (const file of FILES) hash.update(`${file} ${hashes[file] ?? ''}\n`)
  return { faults, totals: found, hash: hash.digest('hex') }
}

/** Reports missing and unknown files. Returns the names, or undefined if a required file is missing. */
function checkNames(folder: string, faults: FaultList): ReadonlySet<string> | undefined {
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv') || name.endsWith('.json'))
  for (const name of names) if (!FILES.includes(name)) faults.add({ file: name, message: 'An import has no file of this name' })
  const missing = REQUIRED.filter((file) => !names.includes(file))
  for (const file of missing) faults.add({ file, message: 'The file is missing' })
  return missing.length === 0 ? new Set(names) : undefined
}

/** Reports sponsors that are unknown, on a later line, or below the member in a ring. */
function checkLateSponsors(
  late: readonly LateSponsor[],
  { ids, sponsors, lines }: { ids: CompactMap; sponsors: (number | undefined)[]; lines: readonly number[] },
  faults: FaultList,
): void {
  for (const { member, sponsorId } of late) sponsors[member] = ids.get(sponsorId)
  for (const { member, line, sponsorId } of late) {
    const at = { file: membersFile.name, line, column: 'sponsor_id' }
    const sponsor = sponsors[member]
    // A fault that is only counted needs no search for a ring.
    const isListed = faults.listed.length < MAX_LISTED_FAULTS
    if (sponsor === undefined) faults.add({ ...at, message: `The file has no valid member ${sponsorId}` })
    else if (isListed && isBelow(sponsor, member, sponsors))
      faults.add({ ...at, message: 'The sponsors form a ring: the member is above their own sponsor' })
    else faults.add({ ...at, message: `The sponsor is on line ${lines[sponsor]}. Sponsors must be above the members whom they referred` })
  }
}

/** Levels that the search for a ring climbs. A longer ring is reported as a sponsor on a later line. */
const RING_LEVELS = 10_000

function isBelow(person: number, top: number, sponsors: readonly (number | undefined)[]): boolean {
  let here: number | undefined = person
  for (let level = 0; here !== undefined && level < RING_LEVELS; level += 1) {
    if (here === top) return true
    here = sponsors[here]
  }
  return false
}

const balancesOf = (sums: ReadonlyMap<WalletKind, Units>) =>
  Object.fromEntries(walletKinds.map((wallet) => [wallet, sums.get(wallet) ?? 0n])) as Record<WalletKind, Units>

/** Adds up balances by asset, in units. */
export function sumsByAsset({ depositWallet, nftWallet, ...coin }: Record<WalletKind, Units>): { usd: Units; coin: Units } {
  return { usd: depositWallet + nftWallet, coin: sumOf(coin) }
}

/** Adds up the amounts of a record. */
export const sumOf = (amounts: Record<string, Units>): Units => Object.values(amounts).reduce((total, amount) => total + amount, 0n)

/** Reports sums above the issued supply (CO-21), which also keeps them within the amounts of the ledger. */
function checkSupply({ balances, promisedCoin, promisedUsd }: CheckedImport['totals'], faults: FaultList): void {
  for (const { file, months, what } of [
    { file: stakesFile.name, months: promisedCoin, what: 'coin' },
    { file: nftsFile.name, months: promisedUsd, what: 'USD' },
  ]) {
    const promised = sumOf(months)
    if (promised > TOTAL_SUPPLY)
      faults.add({
        file,
        message: `The rewards to come add up to ${formatUnits(promised)} ${what}, more than ${formatUnits(TOTAL_SUPPLY)}`,
      })
  }
  const { usd, coin } = sumsByAsset(balances)
  for (const [asset, sum] of Object.entries({ USD: usd, coin }))
    if (sum > TOTAL_SUPPLY)
      faults.add({
        file: balancesFile.name,
        message: `The balances add up to ${formatUnits(sum)} ${asset}, more than ${formatUnits(TOTAL_SUPPLY)}`,
      })
}

/** Compares the rows with the control sums to the unit. Returns the file's SHA-256, in hex. */
function checkTotals(folder: string, found: CheckedImport['totals'], faults: FaultList): string {
  const bytes = readFileSync(path.join(folder, TOTALS))
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), totalsSchema), bytes.toString('utf8'))
  if (read.success) {
    for (const { key, expected, found: have } of compareTotals(read.output, found))
      if (expected !== have)
        faults.add({ file: TOTALS, column: key, message: `The old platform counted ${expected}, the files contain ${have}` })
  } else for (const issue of read.issues) faults.add({ file: TOTALS, column: v.getDotPath(issue) ?? undefined, message: issue.message })
  return createHash('sha256').update(bytes).digest('hex')
}
