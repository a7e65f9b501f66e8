import { describe, expect, it } from 'vitest'
import { fakeNode } from '../../../../test/sent-payouts.ts'
import { chooseNonce, ForeignNonce } from './choose-nonce.ts'

const WALLET = `0x${'ab'.repeat(20)}`

/** Creates a source that has mined transactions of the wallet, and pending ones. */
function source(mined: number, pending = 0) {
  const { node, nodeState } = fakeNode()
  Object.assign(nodeState, { nonceOf: () => mined, pending })
  return node
}

describe('nonce of the next transaction', () => {
  it.each([
    ['the database knows it, although both sources lag', 8, source(5), source(6), 8],
    ['the pool has only transactions of the database', 8, source(5, 3), source(8), 8],
    ['the wallet is new and has no second source', undefined, source(4), undefined, 4],
    ['the wallet is new and both sources agree', undefined, source(0), source(0), 0],
  ] as const)('[I7] is chosen when %s', async (_, next, node, secondNode, chosen) => {
    expect(await chooseNonce({ node, secondNode }, WALLET, next)).toBe(chosen)
  })

  it.each([
    ['the first source mined a transaction more', 8, source(9), source(8), 'the chain has 9 transactions of'],
    ['only the second source mined a transaction more', 8, source(8), source(9), 'the chain has 9 transactions of'],
    ['the pool of the second source has a transaction more', 8, source(8), source(7, 2), 'the chain has 9 transactions of'],
    ['the wallet is new and the first source lags', undefined, source(3), source(4), 'one source has 3 transactions of'],
    ['the wallet is new and the second source lags', undefined, source(4), source(3), 'one source has 4 transactions of'],
    ['the wallet is new and a transaction is pending', undefined, source(4), source(4, 1), 'the chain has 5 transactions of'],
  ] as const)('[I7] is refused when %s', async (_, next, node, secondNode, message) => {
    const chosen = chooseNonce({ node, secondNode }, WALLET, next)
    await expect(chosen).rejects.toThrow(ForeignNonce)
    await expect(chosen).rejects.toThrow(message)
  })
})
