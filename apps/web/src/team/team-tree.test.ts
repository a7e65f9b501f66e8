import type { TeamNode } from '@tizara/contract/team'
import { describe, expect, it, vi } from 'vitest'
import { type LoadBranch, TeamTree } from './team-tree.ts'

const person = (id: string, children: TeamNode[] = [], childCount?: number): TeamNode => ({
  id,
  name: `Person ${id}`,
  email: `${id}@gmail.com`,
  rank: null,
  referralCode: null,
  myReferralCode: id.toUpperCase(),
  stakes: [],
  childCount,
  children,
})
const nobody: LoadBranch = () => Promise.reject(new Error('not asked for'))
const ids = (tree: TeamTree): string[] => tree.inSight().map((row) => row.node.id)

describe('a fully nested tree', () => {
  it('[UI-TEAM-05] [API-83] opens to any depth without asking', async () => {
    const tree = new TeamTree(nobody)
    tree.setTop(person('me', [person('a', [person('b', [person('c')])]), person('z')]))
    expect(ids(tree)).toEqual(['me', 'a', 'z'])
    await tree.open('a')
    await tree.open('b')
    expect(ids(tree)).toEqual(['me', 'a', 'b', 'c', 'z'])
    expect(tree.inSight().map((row) => [row.level, row.place, row.siblings, row.opens])).toEqual([
      [1, 1, 1, true],
      [2, 1, 2, true],
      [3, 1, 1, true],
      [4, 1, 1, false],
      [2, 2, 2, false],
    ])
    tree.close('a')
    expect(ids(tree)).toEqual(['me', 'a', 'z'])
  })

  it('holds a chain that is deeper than a call stack', () => {
    let chain = person('end')
    for (let i = 0; i < 50_000; i += 1) chain = person(`n${i}`, [chain])
    const tree = new TeamTree(nobody)
    tree.setTop(chain)
    expect(tree.everybody()).toHaveLength(50_001)
  })
})

describe('a list of people', () => {
  it('[API-83] shows each at the top', () => {
    const tree = new TeamTree(nobody)
    tree.setTop([person('a', [person('b')]), person('c')])
    expect(ids(tree)).toEqual(['a', 'c'])
  })
})

describe('a tree that is loaded branch by branch', () => {
  const load = vi.fn<LoadBranch>((id) => Promise.resolve(person(id, [person(`${id}1`), person(`${id}2`)], 700)))
  const made = (): TeamTree => {
    load.mockClear()
    const tree = new TeamTree(load)
    tree.setTop(person('me', [person('a', [], 700), person('b', [], 0)], 2))
    return tree
  }

  it('[UI-TEAM-02] [API-83] asks for a branch once, when it is opened', async () => {
    const tree = made()
    const asked = tree.open('a')
    expect(tree.inSight()[1]).toMatchObject({ loading: true, open: true })
    await asked
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'b'])
    tree.close('a')
    await tree.open('a')
    expect(load.mock.calls).toEqual([['a']])
  })

  it('says how many people were not sent', async () => {
    const tree = made()
    await tree.open('a')
    expect(tree.inSight()[1]?.missing).toBe(698)
  })

  it('does not open whom nobody stands below', async () => {
    const tree = made()
    await tree.open('b')
    expect(tree.inSight().at(-1)).toMatchObject({ opens: false, open: false })
    expect(load).not.toHaveBeenCalled()
  })

  it('reveals somebody deep down, also in a branch too large to be sent', async () => {
    const tree = made()
    await tree.reveal(['a', 'a2', 'far'])
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'b'])
    await tree.reveal(['a', 'unsent'])
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'unsent', 'b'])
  })

  it('keeps a failed branch open and tries again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const tree = made()
    load.mockRejectedValueOnce(new Error('no network'))
    await tree.open('a')
    expect(tree.inSight()[1]).toMatchObject({ failed: true, loading: false })
    await tree.open('a')
    expect(tree.inSight()[1]).toMatchObject({ failed: false })
    expect(ids(tree)).toContain('a2')
    vi.restoreAllMocks()
  })
})
