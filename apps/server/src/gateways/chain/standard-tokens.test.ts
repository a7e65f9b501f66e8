import { expect, it } from 'vitest'
import { findRejectedTokens, type TokenSource } from './standard-tokens.ts'
import { NodeUnavailable, NodeError } from './rpc.ts'

const TOKEN = `0x${'c0'.repeat(20)}`
const [ZERO, PAYER] = [`0x${'0'.repeat(40)}`, `0x${'ee'.repeat(20)}`]
const address = (index: number) => `0x${'a'.repeat(39)}${index}`

interface Options {
  /** Change of a receiver's balance. */
  found?: (index: number) => bigint
  receivers?: number
  head?: number
}

/** Creates a node whose four receivers got 100 units each in the checked blocks. */
function tokenSource({ found = () => 100n, receivers = 4, head = 100 }: Options = {}) {
  const requests: unknown[] = []
  const log = (from: string, to: string, amount: bigint) => ({
    txHash: '0x1',
    token: TOKEN,
    from,
    to,
    amount,
    block: 80,
    blockHash: '0xb',
    logIndex: 0,
  })
  const source: TokenSource = {
    head: () => Promise.resolve({ number: head, hash: '0xb', parentHash: '0xa', time: new Date(0) }),
    transfers: (tokens, range) => {
      requests.push([tokens, range])
      const received = Array.from({ length: receivers }, (_, index) => log(PAYER, address(index), 130n))
      // Each receiver burns a part. Another one receives nothing.
      const sent = received.map(({ to }) => log(to, ZERO, 30n))
      return Promise.resolve([...received, ...sent, log(PAYER, `0x${'bb'.repeat(20)}`, 0n)])
    },
    balances: (queries) => {
      requests.push([queries[0]?.token, queries.length, queries[0]?.block])
      return Promise.resolve(queries.map(({ block }, index) => (block === 89 ? 7n + found(index) : 7n)))
    },
  }
  return { source, requests }
}
const check = ({ source }: ReturnType<typeof tokenSource>) => findRejectedTokens(source, [TOKEN])

it('accepts a token whose balances follow its transfers in the forty latest final blocks', async () => {
  const node = tokenSource()
  expect(await check(node)).toEqual(new Map())
  expect(node.requests).toEqual([
    [[TOKEN], { from: 50, to: 89 }],
    [TOKEN, 4, 49],
    [TOKEN, 4, 89],
  ])
})

it.each<[string, (index: number) => bigint]>([
  ['takes a fee that its transfers do not show', () => 99n],
  ['changes balances without a transfer', () => 101n],
  ['reports transfers that move nothing', () => 0n],
  ['differs for three of four receivers', (index) => (index === 0 ? 100n : 99n)],
])('rejects a token that %s', async (_, found) => {
  const problem = (await check(tokenSource({ found }))).get(TOKEN)
  expect(problem).toContain(`the balances of token ${TOKEN} do not follow its transfers`)
})

it.each<[string, Options]>([
  ['half of the receivers differ', { found: (index) => (index < 2 ? 100n : 99n) }],
  ['it has fewer than three receivers', { found: () => 0n, receivers: 2 }],
  ['the chain has no final block', { found: () => 0n, head: 11 }],
])('does not reject a token when %s', async (_, options) => {
  await expect(check(tokenSource(options))).resolves.toEqual(new Map())
})

it.each([
  ['the node has pruned old balances', new NodeError('missing trie node')],
  ['the token is younger than the first block', new NodeUnavailable('the node returned an unreadable answer')],
])('does not reject a token when %s', async (_, error) => {
  const { source } = tokenSource({ found: () => 0n })
  await expect(findRejectedTokens({ ...source, balances: () => Promise.reject(error) }, [TOKEN])).resolves.toEqual(new Map())
  await expect(findRejectedTokens({ ...source, transfers: () => Promise.reject(error) }, [TOKEN])).resolves.toEqual(new Map())
})

it('rejects only the token that differs', async () => {
  const other = `0x${'c1'.repeat(20)}`
  const { source } = tokenSource()
  const balances: TokenSource['balances'] = async (queries) =>
    (await source.balances(queries)).map(
      (balance, index) => balance - (queries[index]?.token === other ? BigInt(queries[index].block ?? 0) : 0n),
    )
  expect([...(await findRejectedTokens({ ...source, balances }, [TOKEN, other])).keys()]).toEqual([other])
})

it('fails when the node does not answer, so that the start tries again', async () => {
  const { source } = tokenSource()
  await expect(findRejectedTokens({ ...source, head: () => Promise.reject(new NodeUnavailable('gone')) }, [TOKEN])).rejects.toThrow('gone')
})
