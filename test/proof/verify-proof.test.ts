import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProofError, type ProofErrorCode } from '@tizara/contract/balance-proof/proof-error'
import { MAX_SUM, pathSides } from '@tizara/contract/balance-proof/sum-tree'
import { type SignedRow, verifyHistory } from '@tizara/contract/balance-proof/verify-history'
import { type BalanceProof, verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import { digestOf, type ProofStatement, writeStatement } from '@tizara/contract/balance-proof/proof-statement'
import { reserveText, verifySignatures } from '@tizara/contract/balance-proof/verify-signature'
import { addr, eip191Signer } from 'micro-eth-signer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenChecker, openChecker } from './open-checker.ts'
import { longSearch, searchRuns } from '../search.ts'
import { sampleDay, type SampleMember } from '../../apps/server/test/sample-proofs.ts'
import { entryFile } from '../../apps/server/src/cli/command-line.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'proofs-'))
const PERL = fileURLToPath(new URL('verify-proof.pl', import.meta.url))
let checker: OpenChecker
beforeAll(async () => {
  checker = await openChecker(folder)
})
afterAll(async () => {
  await checker.close()
  rmSync(folder, { recursive: true })
})

let files = 0
/** Writes a value as a file of JSON, and returns its path. */
function fileOf(value: unknown): string {
  const file = path.join(folder, `${(files += 1)}.json`)
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** Outcomes by verifier: `ok`, or the code of the refusal. */
type Outcomes = Partial<Record<'app' | 'command' | 'page' | 'script', string[]>>

/** Each program is a process, so a short run starts the programs for every other case. */
const startsPrograms = (index: number) => longSearch || index % 2 === 0

/**
 * Returns the outcomes of the app's functions, the command, the checker page and the independent script.
 * @param programs false leaves out the command and the script
 */
async function outcomesOf(proofs: readonly unknown[], history?: SignedRow[], programs = true): Promise<Outcomes> {
  const names = proofs.map(fileOf)
  const historyFile = history && fileOf({ data: history })
  const options = historyFile === undefined ? [] : ['--history', historyFile]
  const outcome = (check: Promise<unknown>) =>
    check.then(
      () => 'ok',
      (error: unknown) => (error instanceof ProofError ? error.code : String(error)),
    )
  const inApp = async () => {
    if (history === undefined) return Promise.all(proofs.map((proof) => outcome(verifyProof(proof))))
    const historyOutcome = await outcome(verifyHistory(history))
    if (historyOutcome !== 'ok') return [historyOutcome]
    const digests = new Set(history.map(({ digest }) => digest))
    return Promise.all(
      proofs.map((proof) =>
        outcome(
          verifyProof(proof).then(async ({ text }) => {
            if (!digests.has(await digestOf(text))) throw new ProofError('statement')
          }),
        ),
      ),
    )
  }
  return {
    app: await inApp(),
    page: (await checker.check(names, historyFile === undefined ? {} : { history: historyFile })).map(codeOf),
    ...(programs && {
      command: linesOf(process.execPath, [entryFile('verify-proof'), ...options, ...names]),
      script: linesOf('perl', [PERL, ...options, ...names]),
    }),
  }
}

/** Expects the same outcomes of each verifier. */
const expectAll = (outcomes: Outcomes, expected: readonly string[]) =>
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((verifier) => [verifier, expected])))

const codeOf = (line: string): string => /^.*?: (?:refused )?([a-z]+)/.exec(line)?.[1] ?? line

/** Runs a verifier and returns the outcome of each line. It must end with 1 if it refuses one, otherwise with 0. */
function linesOf(program: string, args: string[]): string[] {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'pipe'] })
  const outcomes = stdout.trimEnd().split('\n').map(codeOf)
  expect(status).toBe(outcomes.every((outcome) => outcome === 'ok') ? 0 : 1)
  return outcomes
}

const amount = () => (Math.random() < 0.2 ? 0n : BigInt(Math.floor(Math.random() * 1e13)))
const randomMembers = (count: number): SampleMember[] =>
  Array.from({ length: count }, (_, index) => ({
    publicId: `m${index}é`,
    owed: { usd: amount(), coin: amount() },
    promised: { usd: amount(), coin: amount() },
  }))

it('[I12] accepts random proofs with the app, the command, the checker page and the independent script', async () => {
  const proofs: BalanceProof[] = []
  const days = searchRuns({ short: 1, long: 14 })
  for (const count of [1, 2, 3, 6, 8, ...Array.from({ length: days }, () => 70)]) {
    const day = await sampleDay(randomMembers(count))
    for (let index = 0; index < count; index += 1) proofs.push(day.proofOf(index))
  }
  expect(proofs).toHaveLength(20 + 70 * days)
  const outcomes = await outcomesOf(proofs)
  expectAll(
    outcomes,
    proofs.map(() => 'ok'),
  )
  expect(checker.requests).toEqual([])
})

it('[I12] adds up four parts to the amounts of the member, and all members to the root', async () => {
  const members = randomMembers(20)
  const day = await sampleDay(members)
  for (const [index, member] of members.entries())
    expect(await verifyProof(day.proofOf(index), member.publicId)).toMatchObject({ owed: member.owed, promised: member.promised })
  const sum = (tree: 'owed' | 'promised', asset: 'usd' | 'coin') => members.reduce((total, one) => total + one[tree][asset], 0n)
  expect(day.statement.owed).toMatchObject({ leaves: 81, usd: sum('owed', 'usd'), coin: sum('owed', 'coin') })
  expect(day.statement.promised).toMatchObject({ usd: sum('promised', 'usd'), coin: sum('promised', 'coin') + 7n })
})

it('splits the same balance differently for each member, so that a neighbour in a path is only a part of a balance', async () => {
  const same = Array.from({ length: 50 }, (_, index) => ({
    publicId: `m${index}`,
    owed: { usd: 1_000_000n, coin: 0n },
    promised: { usd: 0n, coin: 0n },
  }))
  const day = await sampleDay(same)
  const parts = same.flatMap((_, index) => day.proofOf(index).owed.map(({ usd }) => usd))
  expect(new Set(parts).size).toBeGreaterThan(190)
  const positions = same.map((_, index) => day.proofOf(index).owed.map(({ position }) => position))
  expect(positions.some(([first = 0, ...others]) => others.some((position) => Math.abs(position - first) > 3))).toBe(true)
})

/** Copies a proof, and changes the copy. */
function changed(proof: BalanceProof, change: (copy: BalanceProof) => void): BalanceProof {
  const copy = structuredClone(proof)
  change(copy)
  return copy
}

it('[I12] rejects each wrong proof with its reason, with the app, the command, the checker page and the independent script', async () => {
  const members = randomMembers(40).map((one) => ({ ...one, owed: { usd: one.owed.usd + 9n, coin: one.owed.coin + 5_000n } }))
  const today = await sampleDay(members)
  const yesterday = await sampleDay(members, { day: '2026-03-04' })
  const last = today.statement.owed.leaves - 1
  // A member without the last leaf, which one case moves to.
  const own = [3, 5].find((index) => today.proofOf(index).owed.every(({ position }) => position !== last)) ?? expect.fail()
  const proof = today.proofOf(own)
  const leafOf = (copy: BalanceProof) => copy.owed[0] ?? expect.fail()
  const levels = leafOf(proof).path.length
  const raised = (step: number, asset: 'usd' | 'coin') => (copy: BalanceProof) => {
    const node = leafOf(copy).path[step] ?? expect.fail()
    node[asset] = String(BigInt(node[asset]) + 1n)
  }
  const swapped = (step: number) => (copy: BalanceProof) => {
    const node = leafOf(copy).path[step] ?? expect.fail()
    ;[node.usd, node.coin] = [`${node.coin}1`, node.usd]
  }
  const cases: [ProofErrorCode, (copy: BalanceProof) => void][] = [
    ['negative', (copy) => (leafOf(copy).usd = '-4000')],
    ['negative', (copy) => ((leafOf(copy).path[1] ?? expect.fail()).coin = '-1')],
    ['root', (copy) => (leafOf(copy).usd = String(BigInt(leafOf(copy).usd) + 1n))],
    ['root', (copy) => ([leafOf(copy).usd, leafOf(copy).coin] = [`${leafOf(copy).coin}1`, leafOf(copy).usd])],
    ...Array.from({ length: levels }, (_, step) => [
      ['root', raised(step, 'usd')] as [ProofErrorCode, (copy: BalanceProof) => void],
      ['root', raised(step, 'coin')] as [ProofErrorCode, (copy: BalanceProof) => void],
      ['root', swapped(step)] as [ProofErrorCode, (copy: BalanceProof) => void],
    ]).flat(),
    ['sums', (copy) => (copy.statement = copy.statement.replace(/(\nowed .* usd )(\d+)/, (_, head, sum) => `${head}${BigInt(sum) + 1n}`))],
    ['overflow', (copy) => (leafOf(copy).usd = String(MAX_SUM + 1n))],
    ['overflow', (copy) => ((leafOf(copy).path[2] ?? expect.fail()).usd = String(MAX_SUM))],
    ['amount', (copy) => (leafOf(copy).usd = '1.5')],
    ['amount', (copy) => (leafOf(copy).coin = '007')],
    // An inner node instead of a leaf has a shorter path.
    ['path', (copy) => leafOf(copy).path.shift()],
    // The last leaf has a shorter path, which fits a node.
    [
      'root',
      (copy) => {
        const shorter = leafOf(copy).path.slice(-pathSides(last, last + 1).length)
        copy.owed[0] = { ...leafOf(copy), position: last, path: shorter }
      },
    ],
    ['path', (copy) => leafOf(copy).path.push(leafOf(copy).path[0] ?? expect.fail())],
    ['root', (copy) => (copy.statement = yesterday.text)],
    ['root', (copy) => (copy.owed = yesterday.proofOf(own).owed)],
    ['root', (copy) => (copy.owed = today.proofOf(4).owed)],
    ['root', (copy) => (copy.promised = copy.owed)],
    ['root', (copy) => (copy.owed = copy.owed.toReversed())],
    ['leaves', (copy) => (copy.owed[1] = copy.owed[0] ?? expect.fail())],
    ['leaves', (copy) => copy.owed.pop()],
    ['leaves', (copy) => (leafOf(copy).position = 4_000)],
    ['root', (copy) => (copy.member = 'm4é')],
    ['format', (copy) => (copy.format = 'balance-proof-2')],
    // A second line with sums, of which a careless reader takes the first.
    ['format', (copy) => (copy.statement = copy.statement.replace(/\nowed .*/, (text) => `${text}${text}`))],
  ]
  expectAll(
    await outcomesOf(cases.map(([, change]) => changed(proof, change))),
    cases.map(([code]) => code),
  )
})

it('[I12] rejects the proof of another member', async () => {
  const day = await sampleDay(randomMembers(5))
  const file = fileOf(day.proofOf(3))
  await expect(verifyProof(day.proofOf(3), 'm4é')).rejects.toMatchObject({ code: 'member' })
  expect(linesOf(process.execPath, [entryFile('verify-proof'), '--member', 'm4é', file])).toEqual(['member'])
  expect((await checker.check([file], { member: 'm4é' })).map(codeOf)).toEqual(['member'])
  expect((await checker.check([file], { member: 'm3é' })).map(codeOf)).toEqual(['ok'])
})

it('[I12] refuses to build a tree with a negative amount or with sums beyond 64 bits', async () => {
  const zero = { usd: 0n, coin: 0n }
  const of = (usd: bigint): SampleMember => ({ publicId: 'm', owed: { usd, coin: 0n }, promised: zero })
  await expect(sampleDay([of(5n), of(-1n)])).rejects.toThrow(RangeError)
  await expect(sampleDay([of(MAX_SUM), of(1n)])).rejects.toThrow(RangeError)
})

it('[I12] rejects a history with a changed or missing row, and a proof of another day, with each verifier', async () => {
  const members = randomMembers(2)
  const days = [await sampleDay(members, { day: '2026-03-04' })]
  for (const day of ['2026-03-05', '2026-03-06'])
    days.push(await sampleDay(members, { day, number: days.length + 1, previous: days.at(-1)?.digest ?? '' }))
  const rows = days.map(({ text, digest }) => ({ text, digest, signer: null, signature: null }))
  const [first, second, third] = rows
  if (first === undefined || second === undefined || third === undefined) throw new Error('no rows')
  const proof = days[2]?.proofOf(0)
  const edited = second.text.replace('members 2', 'members 3')
  const histories: [string, SignedRow[]][] = [
    ['ok', rows],
    ['digest', [first, { ...second, text: edited }, third]],
    ['digest', [first, { ...second, text: `${second.text} ` }, third]],
    // A row with a new digest does not fit the row after it.
    ['chain', [first, { ...second, text: edited, digest: await digestOf(edited) }, third]],
    ['chain', [first, third]],
    ['chain', [second, third]],
    ['chain', [first, third, second]],
    ['chain', [first, first, second, third]],
    ['statement', [first, second]],
  ]
  for (const [index, [code, history]] of histories.entries()) expectAll(await outcomesOf([proof], history, startsPrograms(index)), [code])

  const other = await sampleDay(members, { day: '2026-03-06', number: 3, previous: second.digest })
  const digests = new Map(days.map(({ digest }, index) => [index + 1, digest]))
  expect(await verifyHistory(rows, undefined, digests)).toMatchObject({ head: { number: 3, digest: third.digest } })
  for (const history of [
    [first, second, other],
    [first, second],
  ])
    await expect(verifyHistory(history, undefined, digests)).rejects.toMatchObject({ code: 'seen' })
})

it('[I12] rejects signatures by another key than the payout address, and reserve addresses without a signature of their key', async () => {
  const [payouts, cold, stranger] = [1, 2, 3].map((byte) => {
    const key = new Uint8Array(32).fill(byte)
    return { address: addr.fromPrivateKey(key).toLowerCase(), sign: (text: string) => eip191Signer.sign(text, key) }
  })
  if (payouts === undefined || cold === undefined || stranger === undefined) throw new Error('no keys')
  const { statement } = await sampleDay(randomMembers(2))
  const token = `0x${'cd'.repeat(20)}`
  const rowOf = async ({ platform = 'Tizara', by = cold, signer = payouts, address = cold.address } = {}): Promise<SignedRow> => {
    const reserves: ProofStatement['reserves'] = {
      chainId: 56,
      block: 7,
      holdings: [
        { role: 'payouts', address: payouts.address, token, usd: 1n, signature: null },
        { role: 'cold', address, token, usd: 2n, signature: by.sign(reserveText(platform, 56, address)) },
      ],
      deposits: { unswept: 0, inTurn: 0, all: 0, usd: 0n },
    }
    const text = writeStatement({ ...statement, reserves })
    return { text, digest: await digestOf(text), signer: signer.address, signature: signer.sign(text) }
  }
  const row = await rowOf()
  const wrong: [ProofErrorCode, SignedRow][] = [
    ['signature', await rowOf({ signer: stranger })],
    ['signature', { ...row, signature: stranger.sign(row.text) }],
    ['signature', { ...row, signature: null }],
    ['signature', { ...row, signature: 'none' }],
    ['address', await rowOf({ by: stranger })],
    // The signature of another platform's address.
    ['address', await rowOf({ platform: 'Other' })],
    ['address', await rowOf({ address: stranger.address })],
  ]
  expect(() => verifySignatures(row)).not.toThrow()
  for (const [index, [code, one]] of wrong.entries()) {
    expect(() => verifySignatures(one)).toThrow(ProofError)
    const history = fileOf([one])
    if (startsPrograms(index))
      expect(linesOf(process.execPath, [entryFile('verify-proof'), '--history', history, fileOf({})])).toEqual([code])
    expect((await checker.check([fileOf({})], { history })).map(codeOf)).toEqual([code])
  }
  // A cold address without a signature.
  const text = row.text.replace(/ signature 0x[0-9a-f]{130}/, '')
  await expect(verifyHistory([{ text, digest: await digestOf(text) }])).rejects.toMatchObject({ code: 'format' })
})
