import { myTeam, profile } from '@tizara/contract/members'
import { countDownlineStake, lastReferrals, searchTeam, teamTotals, teamTree } from '@tizara/contract/team'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../lib/http/query.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations, visibleCells, expectList, visibleHeaders } from '../test/list-check.tsx'
import { memberApi, testMember } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import MyReferralsScreen from './my-referrals.screen.tsx'
import MyTeamScreen from './my-team.screen.tsx'
import SpecialRcmScreen from './special-rcm.screen.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

interface Wire {
  id: string
  name: string
  email: string
  rank: string | null
  referralCode: string
  myReferralCode: string
  stakes: { stakeAmount: number; createdAt: string }[]
  childCount?: number
  isActive?: boolean
  teamStake?: number
  children: Wire[]
}
const person = (id: string, children: Wire[] = [], more: Partial<Wire> = {}): Wire => ({
  id,
  name: `Person ${id}`,
  email: `${id}@gmail.com`,
  rank: null,
  referralCode: 'AMARA7',
  myReferralCode: `CODE${id}`,
  stakes: [],
  children,
  ...more,
})
const bo = person('bo', [], {
  name: 'Bo Li',
  rank: 'silver',
  childCount: 2,
  teamStake: 1500.5,
  stakes: [
    { stakeAmount: 1000.25, createdAt: '2026-03-05T12:00:00.000Z' },
    { stakeAmount: 2000, createdAt: '2026-03-06T12:00:00.000Z' },
    { stakeAmount: 3000, createdAt: '2026-03-07T12:00:00.000Z' },
    { stakeAmount: 4000, createdAt: '2026-03-08T12:00:00.000Z' },
  ],
})
const item = (name: RegExp) => page.getByRole('treeitem', { name })

it('[UI-TEAM-01] [UI-TEAM-03] [UI-TEAM-04] [EN-47] [EN-12] shows the stake of the team and its tree', async () => {
  api
    .reply(countDownlineStake, { totalStake: 8123456.5 })
    .answer(teamTree, ({ query }) =>
      query.get('root') === 'bo' ? person('bo', [person('deep')], { childCount: 2 }) : person('me', [bo, person('cy')], { childCount: 2 }),
    )
  await mount(<MyTeamScreen />, '/my-team')
  await expect.element(page.getByRole('heading', { level: 1, name: 'My Team' })).toBeVisible()
  await expect.element(page.getByText('8,123,456.50')).toBeVisible()
  const branch = item(/Bo Li/)
  for (const text of ['Bo Li', 'SILVER', 'bo@gmail.com', 'CODEbo', 'AMARA7', '1,500.50', '1,000.25', '05 Mar 2026'])
    await expect.element(branch.getByText(text)).toBeVisible()
  expect(branch.getByText('08 Mar 2026').elements()).toHaveLength(0)
  await branch.getByRole('button', { name: '1 more' }).click()
  await expect.element(branch.getByText('08 Mar 2026')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await branch.getByText('bo@gmail.com').click()
  await expect.element(item(/Person deep/)).toBeVisible()
  await expect.element(item(/Person deep/)).toHaveAttribute('aria-level', '3')
  // The server reports two and sends one; the next request returns the same one.
  await item(/Show more \(1 of 2\) directly below Bo Li/).click()
  await expect.element(branch.getByText('1 more direct referral is not shown. Find them by name.')).toBeVisible()
  expect(item(/Show more/).elements()).toHaveLength(0)
  await branch.getByText('bo@gmail.com').click()
  await expect.element(item(/Person deep/)).not.toBeInTheDocument()
})

it('[UI-TEAM-02] [EN-47] shows the team around one invalid person, and a dash for unreadable values', async () => {
  const damaged = { ...person('odd', [person('below')]), name: 7, email: null, stakes: [{ stakeAmount: 'many', createdAt: null }] }
  const people: unknown[] = [person('bo'), damaged, null, { ...person('x'), id: {} }, { ...person('cy'), children: 'none', stakes: 5 }]
  api.reply(teamTree, { ...person('me'), children: people as Wire[] })
  await mount(<MyTeamScreen />, '/my-team')
  for (const name of ['Person bo', 'Person cy']) await expect.element(item(new RegExp(name))).toBeVisible()
  expect(item(/Somebody who cannot be read/).elements()).toHaveLength(2)
  const odd = item(/CODEodd/)
  await expect.element(odd.getByText('– –')).toBeVisible()
  await odd.getByText('CODEodd').click()
  await expect.element(item(/Person below/)).toBeVisible()
})

it('[UI-TEAM-02] moves, opens and closes with the keys of a tree', async () => {
  api.reply(teamTree, person('me', [person('a', [person('b')]), person('c')]))
  await mount(<MyTeamScreen />, '/my-team')
  const tree = page.getByRole('tree', { name: 'My team' })
  await expect.element(tree).toBeVisible()
  ;((await tree.findElement()) as HTMLElement).focus()
  const active = () => document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(() => active()).toContain('Person a')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(item(/Person b/)).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => active()).toContain('Person b')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(() => active()).toContain('Person a')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(item(/Person b/)).not.toBeInTheDocument()
  await userEvent.keyboard('{End}')
  await expect.poll(() => active()).toContain('Person c')
  await userEvent.keyboard('{Home}')
  await expect.poll(() => active()).toContain('Person me')
})

it('renders only the visible part of 50,000 people', async () => {
  const all = Array.from({ length: 50_000 }, (_, index) => person(`p${index}`))
  api.reply(teamTree, person('me', all))
  await mount(<MyTeamScreen />, '/my-team')
  await expect.element(item(/Person p0\b/)).toBeVisible()
  expect(page.getByRole('treeitem').elements().length).toBeLessThan(60)
  ;((await page.getByRole('tree').findElement()) as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.element(item(/Person p49999/)).toBeInViewport()
  expect(page.getByRole('treeitem').elements().length).toBeLessThan(60)
})

/** A leader with 250 referrals, 99 per page, newest first. */
function wideTeam(): void {
  const all = Array.from({ length: 250 }, (_, index) => person(`w${250 - index}`, [], { childCount: 0 }))
  api.answer(teamTree, ({ query }) => {
    const after = query.get('after')
    const from = after === null ? 0 : all.findIndex((one) => one.id === after) + 1
    return person('me', all.slice(from, from + 99), { childCount: 250 })
  })
}
const lastAsked = () => api.calls(teamTree).at(-1)?.query.toString()

it('[UI-TEAM-02] [UI-TEAM-05] [API-83] loads more of a large branch from its last row, by keyboard and keeping the position', async () => {
  wideTeam()
  await mount(<MyTeamScreen />, '/my-team')
  await expect.element(item(/Person w250\b/)).toBeVisible()
  const tree = page.getByRole('tree', { name: 'My team' }).element() as HTMLElement
  tree.focus()
  const active = () => document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')
  await userEvent.keyboard('{End}')
  const more = item(/Show more \(99 of 250\) directly below Person me/)
  await expect.element(more).toBeInViewport()
  await expect.element(more).toHaveAttribute('aria-selected', 'true')
  await expect.element(more).toHaveAttribute('aria-level', '2')
  await expect.element(more).toHaveAttribute('aria-posinset', '100')
  expect(await axeViolations()).toEqual([])
  // Letter keys select people only.
  await userEvent.keyboard('s')
  await expect.poll(active).toBe(more.element())
  const index = more.element().getBoundingClientRect().top
  await userEvent.keyboard('{Enter}')
  const loaded = item(/Person w151\b/)
  await expect.element(loaded).toHaveAttribute('aria-selected', 'true')
  expect(lastAsked()).toBe('root=me&after=w152')
  expect(active()).toBe(loaded.element())
  await expect.poll(() => document.activeElement).toBe(tree)
  expect(Math.abs(loaded.element().getBoundingClientRect().top - index)).toBeLessThan(30)
  await expect.element(page.getByText('198 of 250 people directly below Person me are shown.')).toBeInTheDocument()
  await userEvent.keyboard('{End} ')
  await expect.element(item(/Person w52\b/)).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{End}')
  await expect.element(item(/Person w1\b/)).toHaveAttribute('aria-selected', 'true')
  expect(item(/Show more/).elements()).toHaveLength(0)
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(item(/Person me/)).toHaveAttribute('aria-selected', 'true')
})

it('[API-83] loads more of a large branch by mouse, shows a failure, and keeps keyboard control', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  wideTeam()
  await mount(<MyTeamScreen />, '/my-team')
  await expect.element(item(/Person w250\b/)).toBeVisible()
  scrollTo(0, document.documentElement.scrollHeight)
  const more = item(/Show more \(99 of 250\)/)
  await expect.element(more).toBeInViewport()
  api.refuse(teamTree, 400, 'Broken inside')
  await more.click()
  const again = item(/More people did not load\. ?Try again \(99 of 250\)/)
  await expect.element(again).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await expect.element(page.getByText('More people did not load.', { exact: true }).first()).toBeInTheDocument()
  wideTeam()
  await again.click()
  await expect.element(item(/Person w151\b/)).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item(/Person w150\b/)).toHaveAttribute('aria-selected', 'true')
})

it('[UI-TEAM-03] [API-83] loads more of a large branch in the list, and focuses the first new person', async () => {
  wideTeam()
  await mount(<MyTeamScreen />, '/my-team')
  await page.getByRole('radio', { name: 'List' }).click()
  await expect.element(page.getByRole('table', { name: 'People of my team' })).toBeVisible()
  expect(page.getByText('Some branches are not loaded yet', { exact: false }).elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Page 5' }).click()
  const button = page.getByRole('button', { name: 'Show more (99 of 250) directly below Person me' })
  await expect.element(button).toBeVisible()
  expect(await axeViolations()).toEqual([])
  ;((await button.findElement()) as HTMLElement).focus()
  const { scrollY: scrolled } = window
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement?.textContent).toBe('Person w151')
  expect(window.scrollY).toBe(scrolled)
  expect(lastAsked()).toBe('root=me&after=w152')
  expect(visibleCells(1)[1]).toBe('Person w151')
  await expect.element(page.getByText('198 of 250 people directly below Person me are shown.')).toBeInTheDocument()
  expect(await axeViolations()).toEqual([])
})

it('finds a person and opens the branches on the path', async () => {
  api
    .answer(teamTree, ({ query }) =>
      query.get('root') === 'a' ? person('a', [person('deep')]) : person('me', [person('a', [], { childCount: 1 })]),
    )
    .answer(searchTeam, () => ({
      data: [
        {
          id: 'deep',
          name: 'Person deep',
          email: 'deep@gmail.com',
          myReferralCode: 'X',
          level: 2,
          path: [
            { id: 'a', name: 'Person a' },
            { id: 'deep', name: 'Person deep' },
          ],
        },
      ],
      meta: { total: 1, page: 1, limit: 25 },
    }))
  await mount(<MyTeamScreen />, '/my-team')
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('deep')
  await page.getByRole('button', { name: /Person deep/ }).click()
  await expect.element(item(/Person deep/)).toHaveAttribute('aria-selected', 'true')
  expect(api.calls(searchTeam).map(({ query }) => query.get('q'))).toEqual(['deep'])
})

it('opens the first search result with Enter', async () => {
  api.reply(teamTree, person('me', [person('a', [person('deep')])]))
  await mount(<MyTeamScreen />, '/my-team')
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('deep')
  await expect.element(page.getByRole('button', { name: /Person deep/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(item(/Person deep/)).toHaveAttribute('aria-selected', 'true')
})

it('searches the loaded people when the server cannot search', async () => {
  api.reply(teamTree, person('me', [person('a', [person('deep')])]))
  await mount(<MyTeamScreen />, '/my-team')
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('deep')
  await page.getByRole('button', { name: /Person deep/ }).click()
  await expect.element(item(/Person deep/)).toHaveAttribute('aria-selected', 'true')
})

it('[UI-TEAM-03] [UI-TEAM-04] is readable as a plain list too', async () => {
  api.reply(teamTree, person('me', [bo]))
  await mount(<MyTeamScreen />, '/my-team')
  await page.getByRole('radio', { name: 'List' }).click()
  await expect.element(page.getByRole('table', { name: 'People of my team' })).toBeVisible()
  expect(visibleCells(1)[0]).toBe('You')
  expect(visibleCells(2).slice(0, 6)).toEqual(['1', 'Bo Li', 'bo@gmail.com', 'SILVER', 'CODEbo', 'AMARA7'])
  expect(visibleCells(2)[6]).toContain('1,000.25 TIZARA, 05 Mar 2026')
  // Two people are below Bo Li in a branch that was never opened.
  await expect.element(page.getByText('Some branches are not loaded yet', { exact: false })).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('[UI-TEAM-03] lists people on phones in two lines, and the rest in the details of a person', async () => {
  await page.viewport(390, 844)
  api.reply(teamTree, person('me', [{ ...bo, isActive: true }]))
  await mount(<MyTeamScreen />, '/my-team')
  await page.getByRole('radio', { name: 'List' }).click()
  await expect.element(page.getByRole('table', { name: 'People of my team' })).toBeVisible()
  const row = page.getByRole('row').nth(2)
  const lines = () => (row.element() as HTMLElement).innerText.replaceAll(/\s+/g, ' ')
  await expect.poll(lines).toBe('Bo Li level 1 · Active · 08 Mar 2026 SILVER 1,500.50 TIZARA Bo Li')
  expect(row.element().getBoundingClientRect().height).toBeLessThan(80)
  await row.getByRole('button', { name: 'Bo Li' }).click()
  const details = page.getByRole('dialog', { name: 'Bo Li' })
  for (const text of ['bo@gmail.com', 'CODEbo', 'AMARA7', '4,000.00 TIZARA, 08 Mar 2026'])
    await expect.element(details.getByText(text)).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await page.viewport(1280, 720)
})

it('[ER-67] shows Data Not Found without a team, and when the team does not load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.reply(teamTree, person('me', [], { childCount: 0 }))
  const first = await mount(<MyTeamScreen />, '/my-team')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  await first.unmount()
  api.refuse(teamTree, 400, 'Broken inside')
  await mount(<MyTeamScreen />, '/my-team')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  expect(page.getByText('Broken inside').elements()).toHaveLength(0)
})

it('[LS-11] [LS-12] [EN-20] lists My Referrals', async () => {
  api.reply(myTeam, {
    data: [{ name: 'Bo Li', email: 'bo@gmail.com', myReferralCode: 'BO1234', updatedAt: '2026-03-05T12:00:00.000Z' }],
    meta: { total: 1, page: 1, limit: 25 },
  })
  await expectList({
    Screen: MyReferralsScreen,
    title: 'My Referrals',
    headers: ['SL NO', 'Name', 'Email', 'Refer-Code', 'Join date'],
    cells: ['1', 'Bo Li', 'bo@gmail.com', 'BO1234', '05 Mar 2026'],
    csv: '1,Bo Li,bo@gmail.com,BO1234,2026-03-05T12:00:00.000Z',
  })
})

const now = new Date()
const month = (ago: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString()
const referral = {
  name: 'Bo Li',
  email: 'bo@gmail.com',
  createdAt: '2026-03-05T12:00:00.000Z',
  payment: [{ id: 1, payAmountNum: 111, createdAt: month(0) }],
  deposit: [
    { id: 1, amount: 222.5, createdAt: month(1) },
    { id: 2, amount: 333, createdAt: month(2) },
  ],
}

it('[UI-RCM-04] [UI-RCM-05] [UI-RCM-06] [UI-RCM-07] [UI-RCM-08] shows four figures and the last referrals', async () => {
  api
    .reply(teamTotals, {
      lastMonthStakeSumTotal: 120000,
      currentMonthStakeSumTotal: 86000.25,
      lastMonthNFTSum: 2400,
      currentMonthNFTSum: 1200,
    })
    .reply(lastReferrals, { data: [referral], meta: { total: 1, page: 1, limit: 25 } })
  await mount(<SpecialRcmScreen />, '/special-rcm')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Special Rcm' })).toBeVisible()
  for (const [label, figure] of [
    ['Last month team stake', '120,000.00'],
    ['Current month team stake', '86,000.25'],
    ['Last month NFT purchases', '2,400.00'],
    ['Current month NFT purchases', '1,200.00'],
  ] as const) {
    await expect.element(page.getByText(label)).toBeVisible()
    await expect.element(page.getByText(figure)).toBeVisible()
  }
  await expect.element(page.getByText('bo@gmail.com')).toBeVisible()
  expect(visibleHeaders()).toEqual(['Name', 'Email', 'Join Date', 'Deposits'])
  expect(visibleCells()).toEqual(['Bo Li', 'bo@gmail.com', '05 Mar 2026', 'this month111.00 USDlast month222.50 USD333.00 USD'])
  const rowClassOf = (amount: string) => page.getByText(amount, { exact: true }).element().closest('li')?.className
  expect(rowClassOf('111.00')).toBe('text-success')
  expect(rowClassOf('222.50')).toBe('text-danger')
  expect(rowClassOf('333.00')).toBe('')
  expect(await axeViolations()).toEqual([])
  // The drawer shows three deposit dates and the joining date.
  await page.getByRole('button', { name: /Open receipt 1/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Receipt' })
  await expect.poll(() => drawer.element().querySelectorAll('time').length).toBe(4)
})

it('[UI-RCM-10] [ER-64] [ER-65] stores the error texts and shows neither', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.refuse(teamTotals, 400, 'Broken').refuse(lastReferrals, 400, 'Broken')
  await mount(<SpecialRcmScreen />, '/special-rcm')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  const states = queryClient
    .getQueryCache()
    .getAll()
    .map((query) => query.state.error?.message)
  expect(states).toContain('Failed to fetch referrals.')
  expect(states).toContain('Failed to fetch team deposit.')
  expect(page.getByText(/Failed to fetch|Broken/).elements()).toHaveLength(0)
})

it('[UI-RCM-11] shows zeros and an empty list to a member who is not special', async () => {
  api
    .reply(profile, { ...testMember, isSpecialRcm: false })
    .reply(teamTotals, { lastMonthStakeSumTotal: 0, currentMonthStakeSumTotal: 0, lastMonthNFTSum: 0, currentMonthNFTSum: 0 })
    .reply(lastReferrals, { data: [], meta: { total: 0, page: 1, limit: 25 } })
  await mount(<SpecialRcmScreen />, '/special-rcm')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  await expect.element(page.getByText('to special members only', { exact: false })).toBeVisible()
  expect(page.getByText('0.00').elements()).toHaveLength(4)
})
