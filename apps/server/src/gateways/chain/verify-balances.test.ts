import { expect, it } from 'vitest'
import type { TokenLog } from './chain-node.ts'
import { NodeUnavailable, NodeError } from './rpc.ts'
import { type BalanceSource, findDifferingBalances } from './verify-balances.ts'

const [TOKEN, OURS, OTHER, PAYER] = ['c0', 'aa', 'ab', 'ee'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string, string]
let logs = 0
const log = (amount: bigint, more: Partial<TokenLog> = {}): TokenLog => ({
  txHash: '0x1',
  token: TOKEN,
  from: PAYER,
  to: OURS,
  amount,
  block: 80,
  blockHash: '0xb',
  logIndex: (logs += 1),
  ...more,
})

/** Creates a node with balances before block 80, after it, and now. Undefined balances are deleted. */
function nodeWith(before: bigint | undefined, after: bigint | undefined, now = after ?? 0n, nonce = 0n) {
  const source: BalanceSource = {
    balances: (queries) => {
      const found = queries.map(({ block }) => (block === undefined ? now : block < 80 ? before : after))
      return found.includes(undefined) ? Promise.reject(new NodeError('missing trie node')) : Promise.resolve(found as bigint[])
    },
    nonces: (addresses) => Promise.resolve(addresses.map(() => nonce)),
  }
  return source
}
const differing = async (sources: BalanceSource[], payments: TokenLog[], others: TokenLog[] = []) => [
  ...(await findDifferingBalances(sources, payments, others)),
]
const NAME = `${TOKEN} ${OURS} 80`

it.each<[string, bigint, TokenLog[], TokenLog[]]>([
  ['one payment arrives', 107n, [log(100n)], []],
  ['two payments arrive in a block', 157n, [log(100n), log(50n)], []],
  ['dust arrives beside a payment', 108n, [log(100n)], [log(1n)]],
  ['the address sends an older payment on in the same block', 102n, [log(100n)], [log(5n, { from: OURS, to: OTHER })]],
])('accepts balances when %s', async (_, after, payments, others) => {
  expect(await differing([nodeWith(7n, after)], payments, [...payments, ...others])).toEqual([])
})

it.each<[string, BalanceSource[]]>([
  ['the token takes a fee', [nodeWith(7n, 106n)]],
  ['the transfer moves nothing', [nodeWith(7n, 7n)]],
  ['the balance grows by more', [nodeWith(7n, 108n)]],
  ['only the second source differs', [nodeWith(7n, 107n), nodeWith(7n, 106n)]],
  ['the node has deleted old balances, and the address holds less than arrived', [nodeWith(undefined, undefined, 99n)]],
])('reports a balance when %s', async (_, sources) => {
  expect(await differing(sources, [log(100n)])).toEqual([NAME])
})

it('proves nothing by the balance of now, when the address holds enough or has sent a transaction', async () => {
  expect(await differing([nodeWith(undefined, undefined, 100n)], [log(100n)])).toEqual([])
  expect(await differing([nodeWith(undefined, undefined, 0n, 1n)], [log(100n)])).toEqual([])
})

it('compares the balance of now with all payments to the address', async () => {
  const [first, second] = [log(60n), log(60n, { block: 81 })]
  expect(await differing([nodeWith(undefined, undefined, 100n)], [first, second])).toEqual([NAME, `${TOKEN} ${OURS} 81`])
})

it('fails when the node does not answer, so that nothing is credited', async () => {
  const away = () => Promise.reject(new NodeUnavailable('gone'))
  await expect(differing([{ balances: away, nonces: away }], [log(100n)])).rejects.toThrow('gone')
})
