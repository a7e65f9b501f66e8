import { describe, expect, it } from 'vitest'
import { standingClaims } from './rank-standing.rules.ts'

describe('rank bonus eligibility', () => {
  const claim = (id: bigint, leaderId: bigint, teamStake: bigint, stands = false) => ({ id, leaderId, teamStake, stands })
  const above = new Map([
    [1n, [1n]],
    [2n, [2n, 1n]],
    [3n, [3n, 1n]],
  ])

  it('lets bonuses of one leader share coin, and counts no branch beyond its coin', () => {
    const running = new Map([
      [1n, 250n],
      [2n, 150n],
      [3n, 100n],
    ])
    const wanted = [claim(1n, 2n, 100n), claim(2n, 2n, 150n), claim(3n, 3n, 100n), claim(4n, 1n, 100n)]
    expect([...standingClaims(wanted, above, running)]).toEqual([1n, 2n, 3n])
    // The upline that already has coin keeps it, whichever branch holds the coin.
    expect([...standingClaims([...wanted.slice(0, 3), claim(4n, 1n, 100n, true)], above, running)]).toEqual([4n, 1n, 2n])
    expect([
      ...standingClaims(
        wanted,
        above,
        new Map([
          [1n, 99n],
          [2n, 99n],
        ]),
      ),
    ]).toEqual([])
  })
})
