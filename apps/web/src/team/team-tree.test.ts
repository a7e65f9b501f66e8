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
const rejectAll: LoadBranch = () => Promise.reject(new Error('not asked for'))
const ids = (tree: TeamTree): string[] => tree.inSight().map((row) => row.key)

describe('a fully nested tree', () => {
  it('[UI-TEAM-05] [API-83] opens to any depth without a call', async () => {
    const tree = new TeamTree(rejectAll)
    tree.setTop(person('me', [person('a', [person('b', [person('c')])]), person('z')]))
    expect(ids(tree)).toEqual(['me', 'a', 'z'])
    await tree.open('a')
    await tree.open('b')
    expect(ids(tree)).toEqual(['me', 'a', 'b', 'c', 'z'])
    expect(tree.inSight().map((row) => [row.level, row.position, row.siblings, row.opens])).toEqual([
      [1, 1, 1, true],
      [2, 1, 2, true],
      [3, 1, 1, true],
      [4, 1, 1, false],
      [2, 2, 2, false],
    ])
    tree.close('a')
    expect(ids(tree)).toEqual(['me', 'a', 'z'])
  })

  it('handles a chain deeper than the call stack', () => {
    let chain = person('end')
    for (let i = 0; i < 50_000; i += 1) chain = person(`n${i}`, [chain])
    const tree = new TeamTree(rejectAll)
    tree.setTop(chain)
    expect(tree.everybody()).toHaveLength(50_001)
  })
})

describe('a list of people', () => {
  it('[API-83] shows each person at the top', () => {
    const tree = new TeamTree(rejectAll)
    tree.setTop([person('a', [person('b')]), person('c')])
    expect(ids(tree)).toEqual(['a', 'c'])
  })
})

describe('a tree that is loaded branch by branch', () => {
  const load = vi.fn<LoadBranch>((id) => Promise.resolve(person(id, [person(`${id}1`), person(`${id}2`, [], 700)], 700)))
  const newTree = (): TeamTree => {
    load.mockClear()
    const tree = new TeamTree(load)
    tree.setTop(person('me', [person('a', [], 700), person('b', [], 0)], 2))
    return tree
  }

  it('[UI-TEAM-02] [API-83] requests a branch once, when it is opened', async () => {
    const tree = newTree()
    const pending = tree.open('a')
    expect(tree.inSight()[1]).toMatchObject({ loading: true, open: true })
    await pending
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'a:more', 'b'])
    tree.close('a')
    await tree.open('a')
    expect(load.mock.calls).toEqual([['a']])
  })

  it('shows how many people are missing when a server cannot load them', async () => {
    const tree = newTree()
    await tree.open('a')
    expect(tree.inSight()[1]?.missing).toBe(0)
    expect(await tree.more('a')).toEqual([])
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'b'])
    expect(tree.inSight()[1]?.missing).toBe(698)
  })

  it('does not open a member without a downline', async () => {
    const tree = newTree()
    await tree.open('b')
    expect(tree.inSight().at(-1)).toMatchObject({ opens: false, open: false })
    expect(load).not.toHaveBeenCalled()
  })

  it('reveals a person deep down, also in a branch that is loaded in parts', async () => {
    const tree = newTree()
    await tree.reveal(['a', 'a2', 'a21'])
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'a21', 'a22', 'a2:more', 'a:more', 'b'])
    tree.close('a2')
    await tree.reveal(['a', 'unsent'])
    expect(ids(tree)).toEqual(['me', 'a', 'a1', 'a2', 'unsent', 'a:more', 'b'])
  })

  it('keeps a failed branch open and retries', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const tree = newTree()
    load.mockRejectedValueOnce(new Error('no network'))
    await tree.open('a')
    expect(tree.inSight()[1]).toMatchObject({ failed: true, loading: false })
    await tree.open('a')
    expect(tree.inSight()[1]).toMatchObject({ failed: false })
    expect(ids(tree)).toContain('a2')
    vi.restoreAllMocks()
  })
})

describe('a branch that is too large for one answer', () => {
  const PART = 3
  let people: string[] = []
  /** Returns three people per page, newest first; the server uses larger pages. */
  const load = vi.fn<LoadBranch>((id, after) => {
    const from = after === undefined ? 0 : people.indexOf(after) + 1
    const part = people.slice(from, from + PART).map((one) => person(one, [], 0))
    return Promise.resolve(person(id, part, people.length))
  })
  const newTree = async (): Promise<TeamTree> => {
    load.mockClear()
    people = ['p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1']
    const tree = new TeamTree(load)
    tree.setTop(await load('me'))
    load.mockClear()
    return tree
  }

  it('[UI-TEAM-05] [API-83] ends with a row that loads the next part, until all people are shown', async () => {
    const tree = await newTree()
    expect(ids(tree)).toEqual(['me', 'p8', 'p7', 'p6', 'me:more'])
    expect(tree.inSight().at(-1)).toMatchObject({ level: 2, parent: 'me', position: 4, siblings: 4, more: { shown: 3, total: 8 } })
    expect((await tree.more('me'))?.map((one) => one.id)).toEqual(['p5', 'p4', 'p3'])
    expect(tree.inSight().at(-1)?.more).toEqual({ shown: 6, total: 8 })
    await tree.more('me')
    expect(ids(tree)).toEqual(['me', 'p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1'])
    expect(load.mock.calls).toEqual([
      ['me', 'p6'],
      ['me', 'p3'],
    ])
    expect(tree.inSight()[0]?.missing).toBe(0)
  })

  it('[API-83] ends at the team’s size at the time of opening, also when members join meanwhile', async () => {
    const tree = await newTree()
    people.unshift('p9')
    await tree.more('me')
    await tree.more('me')
    expect(ids(tree)).toEqual(['me', 'p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1'])
  })

  it('keeps loaded people after a reload, and starts again when too many have joined', async () => {
    const tree = await newTree()
    await tree.more('me')
    people.unshift('p9')
    tree.setTop(await load('me'))
    expect(ids(tree)).toEqual(['me', 'p9', 'p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'me:more'])
    expect(tree.inSight().at(-1)?.more).toEqual({ shown: 7, total: 9 })
    people.unshift('p13', 'p12', 'p11', 'p10')
    tree.setTop(await load('me'))
    expect(ids(tree)).toEqual(['me', 'p13', 'p12', 'p11', 'me:more'])
  })

  it('does not continue after a person found by search, and shows that person once', async () => {
    const tree = await newTree()
    load.mockResolvedValueOnce(person('p4', [], 0))
    await tree.reveal(['p4'])
    expect(ids(tree)).toEqual(['me', 'p8', 'p7', 'p6', 'p4', 'me:more'])
    expect((await tree.more('me'))?.map((one) => one.id)).toEqual(['p5', 'p3'])
    expect(ids(tree)).toEqual(['me', 'p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'me:more'])
  })

  it('sends one request at a time, shows a failure, and retries', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const tree = await newTree()
    load.mockRejectedValueOnce(new Error('no network'))
    const pending = tree.more('me')
    expect(tree.inSight().at(-1)).toMatchObject({ key: 'me:more', loading: true })
    expect(await tree.more('me')).toBeUndefined()
    expect(await pending).toBeUndefined()
    expect(load).toHaveBeenCalledTimes(1)
    expect(tree.inSight().at(-1)).toMatchObject({ loading: false, failed: true })
    expect(tree.inSight()[0]).toMatchObject({ failed: false })
    await tree.more('me')
    expect(tree.inSight().at(-1)).toMatchObject({ failed: false, more: { shown: 6, total: 8 } })
    vi.restoreAllMocks()
  })

  it('[API-83] loads a partly known branch when it is opened, and offers the rest in the list', async () => {
    load.mockClear()
    people = ['p4', 'p3', 'p2', 'p1']
    const tree = new TeamTree(load)
    tree.setTop(person('me', [person('a', [person('p4', [], 0)], 4)], 1))
    expect(ids(tree)).toEqual(['me', 'a'])
    expect(tree.everybody().map((row) => row.key)).toEqual(['me', 'a', 'p4', 'a:more'])
    await tree.open('a')
    expect(load.mock.calls).toEqual([['a']])
    expect(ids(tree)).toEqual(['me', 'a', 'p4', 'p3', 'p2', 'a:more'])
    expect(tree.everybody().at(-1)).toMatchObject({ key: 'a:more', more: { shown: 3, total: 4 } })
  })
})
