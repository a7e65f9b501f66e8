import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProofFault, type ProofFaultCode } from '@tizara/contract/balance-proof/proof-fault'
import { MAX_SUM } from '@tizara/contract/balance-proof/sum-tree'
import { verifyHistory } from '@tizara/contract/balance-proof/verify-history'
import { type BalanceProof, verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import { afterAll, expect, it } from 'vitest'
import { sampleDay, type SampleMember } from '../../../test/sample-proofs.ts'
import { entryFile } from '../../cli/command-line.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'proofs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const PERL = fileURLToPath(new URL('../../../../../test/proof/verify-proof.pl', import.meta.url))

let files = 0
/** Returns the outcomes of the app's function, the command and the independent script: `ok`, or the code of the refusal. */
async function outcomesOf(proofs: readonly unknown[]): Promise<{ app: string[]; command: string[]; script: string[] }> {
  const names = proofs.map((proof) => {
    const file = path.join(folder, `${(files += 1)}.json`)
    writeFileSync(file, JSON.stringify(proof))
    return file
  })
  const app = await Promise.all(
    proofs.map((proof) =>
      verifyProof(proof).then(
        () => 'ok',
        (error: unknown) => (error instanceof ProofFault ? error.code : String(error)),
      ),
    ),
  )
  return { app, command: linesOf(process.execPath, [entryFile('verify-proof'), ...names]), script: linesOf('perl', [PERL, ...names]) }
}

/** Runs a verifier and returns the outcome of each line. The command ends with 1 if it refuses a proof. */
function linesOf(program: string, args: string[]): string[] {
  const run = () => {
    try {
      return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'pipe'] })
    } catch (error) {
      if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== '') return error.stdout
      throw error
    }
  }
  return run()
    .trimEnd()
    .split('\n')
    .map((line) => /^.*?: (?:refused )?([a-z]+)/.exec(line)?.[1] ?? line)
}

const amount = () => (Math.random() < 0.2 ? 0n : BigInt(Math.floor(Math.random() * 1e13)))
const randomMembers = (count: number): SampleMember[] =>
  Array.from({ length: count }, (_, index) => ({
    publicId: `m${index}é`,
    owed: { usd: amount(), coin: amount() },
    promised: { usd: amount(), coin: amount() },
  }))

it('[I12] accepts 1,000 random proofs with the app, the command and the independent script', async () => {
  const proofs: BalanceProof[] = []
  for (const count of [1, 2, 3, 6, 8, ...Array.from({ length: 14 }, () => 70)]) {
    const day = await sampleDay(randomMembers(count))
    for (let index = 0; index < count; index += 1) proofs.push(day.proofOf(index))
  }
  const outcomes = await outcomesOf(proofs)
  const expected = proofs.map(() => 'ok')
  expect(proofs).toHaveLength(1000)
  expect(outcomes).toEqual({ app: expected, command: expected, script: expected })
}, 240_000)

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
  const places = same.map((_, index) => day.proofOf(index).owed.map(({ position }) => position))
  expect(places.some(([first = 0, ...others]) => others.some((place) => Math.abs(place - first) > 3))).toBe(true)
})

/** Copies a proof, and changes the copy. */
function changed(proof: BalanceProof, change: (copy: BalanceProof) => void): BalanceProof {
  const copy = structuredClone(proof)
  change(copy)
  return copy
}

it('[I12] refuses each wrong proof with its reason, with the app, the command and the independent script', async () => {
  const members = randomMembers(40).map((one) => ({ ...one, owed: { usd: one.owed.usd + 9n, coin: one.owed.coin + 5_000n } }))
  const today = await sampleDay(members)
  const yesterday = await sampleDay(members, { day: '2026-03-04' })
  const proof = today.proofOf(3)
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
  const cases: [ProofFaultCode, (copy: BalanceProof) => void][] = [
    ['negative', (copy) => (leafOf(copy).usd = '-4000')],
    ['negative', (copy) => ((leafOf(copy).path[1] ?? expect.fail()).coin = '-1')],
    ['root', (copy) => (leafOf(copy).usd = String(BigInt(leafOf(copy).usd) + 1n))],
    ['root', (copy) => ([leafOf(copy).usd, leafOf(copy).coin] = [`${leafOf(copy).coin}1`, leafOf(copy).usd])],
    ...Array.from({ length: levels }, (_, step) => [
      ['root', raised(step, 'usd')] as [ProofFaultCode, (copy: BalanceProof) => void],
      ['root', raised(step, 'coin')] as [ProofFaultCode, (copy: BalanceProof) => void],
      ['root', swapped(step)] as [ProofFaultCode, (copy: BalanceProof) => void],
    ]).flat(),
    ['sums', (copy) => (copy.statement = copy.statement.replace(/(\nowed .* usd )(\d+)/, (_, head, sum) => `${head}${BigInt(sum) + 1n}`))],
    ['overflow', (copy) => (leafOf(copy).usd = String(MAX_SUM + 1n))],
    ['overflow', (copy) => ((leafOf(copy).path[2] ?? expect.fail()).usd = String(MAX_SUM))],
    ['amount', (copy) => (leafOf(copy).usd = '1.5')],
    ['amount', (copy) => (leafOf(copy).coin = '007')],
    // An inner node in the place of a leaf has a shorter path.
    ['path', (copy) => leafOf(copy).path.shift()],
    ['path', (copy) => leafOf(copy).path.push(leafOf(copy).path[0] ?? expect.fail())],
    ['root', (copy) => (copy.statement = yesterday.text)],
    ['root', (copy) => (copy.owed = yesterday.proofOf(3).owed)],
    ['root', (copy) => (copy.owed = today.proofOf(4).owed)],
    ['root', (copy) => (copy.promised = copy.owed)],
    ['root', (copy) => (copy.owed = copy.owed.toReversed())],
    ['leaves', (copy) => (copy.owed[1] = copy.owed[0] ?? expect.fail())],
    ['leaves', (copy) => copy.owed.pop()],
    ['leaves', (copy) => (leafOf(copy).position = 4_000)],
    ['root', (copy) => (copy.member = 'm4é')],
    ['format', (copy) => (copy.format = 'balance-proof-2')],
  ]
  const outcomes = await outcomesOf(cases.map(([, change]) => changed(proof, change)))
  const expected = cases.map(([code]) => code)
  expect(outcomes.app).toEqual(expected)
  expect(outcomes.command).toEqual(expected)
  expect(outcomes.script).toEqual(expected)
  await expect(verifyProof(proof, 'm4é')).rejects.toMatchObject({ code: 'member' })
})

it('[I12] refuses to build a tree with a negative amount or with sums beyond 64 bits', async () => {
  const zero = { usd: 0n, coin: 0n }
  const of = (usd: bigint): SampleMember => ({ publicId: 'm', owed: { usd, coin: 0n }, promised: zero })
  await expect(sampleDay([of(5n), of(-1n)])).rejects.toThrow(RangeError)
  await expect(sampleDay([of(MAX_SUM), of(1n)])).rejects.toThrow(RangeError)
})

it('[I12] refuses a history with a changed or missing row, and one that contradicts a row seen before', async () => {
  const members = randomMembers(2)
  const days = [await sampleDay(members, { day: '2026-03-04' })]
  for (const day of ['2026-03-05', '2026-03-06'])
    days.push(await sampleDay(members, { day, number: days.length + 1, previous: days.at(-1)?.digest ?? '' }))
  const rows = days.map(({ text, digest }) => ({ text, digest, signer: null, signature: null }))
  const [first, second, third] = rows
  if (first === undefined || second === undefined || third === undefined) throw new Error('no rows')
  const other = await sampleDay(members, { day: '2026-03-06', number: 3, previous: second.digest })
  const digests = new Map(days.map(({ digest }, index) => [index + 1, digest]))
  expect(await verifyHistory(rows, undefined, digests)).toMatchObject({ place: { number: 3, digest: third.digest } })
  const refusals: [ProofFaultCode, readonly { text: string; digest: string }[]][] = [
    ['digest', [first, { ...second, text: second.text.replace('members 2', 'members 3') }, third]],
    ['chain', [first, third]],
    ['chain', [second, third]],
    ['chain', [first, third, second]],
    ['seen', [first, second, other]],
    ['seen', [first, second]],
  ]
  for (const [code, history] of refusals) await expect(verifyHistory(history, undefined, digests)).rejects.toMatchObject({ code })
  const proof = path.join(folder, 'proof.json')
  writeFileSync(proof, JSON.stringify(days[2]?.proofOf(0)))
  const commandWith = (history: unknown) => {
    const file = path.join(folder, 'history.json')
    writeFileSync(file, JSON.stringify({ data: history }))
    return linesOf(process.execPath, [entryFile('verify-proof'), '--history', file, proof])
  }
  expect(commandWith(rows)).toEqual(['ok'])
  expect(commandWith([first, { ...second, text: `${second.text} ` }, third])).toEqual(['format'])
  expect(commandWith([first, third])).toEqual(['chain'])
  expect(commandWith([first, second])).toEqual(['statement'])
  expect(commandWith([first, second, { ...third, signer: `0x${'ab'.repeat(20)}`, signature: `0x${'11'.repeat(64)}1b` }])).toEqual([
    'signature',
  ])
})
