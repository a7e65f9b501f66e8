import { staffMe } from '@tizara/contract/staff'
import { staffChanges } from '@tizara/contract/staff-changes'
import { approveRequest, rejectRequest, revealRequestAddress, revokeApproval } from '@tizara/contract/staff-queues'
import { assignTicket, closeTicketAsStaff, savedReplies, staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../test/fake-api.ts'
import { openConsole } from '../../test/open-console.tsx'
import { staffApi, testItem, testStaff } from '../../test/staff-api.ts'
import { testTicket, testTicketRow } from '../../test/test-ticket.ts'
import { MOD } from '../kit/mod-key.ts'
import { pages } from './pages.ts'

const [first, second] = [testItem('p1-daniel', 'Daniel Osei'), testItem('p2-lukas', 'Lukas Weber')]
const approved = testItem('p3-ifeoma', 'Ifeoma Balogun', { canDecide: false, whyNot: 'FIRST_WAS_YOU' })
const acts = ['proposeChange', 'answerTicket', 'noteOnTicket', 'assignTicket', 'closeTicketAsStaff']
const rights = [...testStaff.rights, ...pages.map((view) => view.right), ...acts]

let api: FakeApi
beforeEach(() => {
  const page1 = { total: 1, page: 1, limit: 100 }
  api = staffApi([first, second, approved])
    .reply(staffMe, { ...testStaff, rights })
    .reply(staffTickets, { data: [testTicketRow], meta: page1 })
    .reply(staffTicketDetail, testTicket)
    .reply(savedReplies, [])
    .reply(staffChanges, { data: [], meta: { ...page1, total: 0 } })
    .reply(assignTicket, null)
    .reply(closeTicketAsStaff, null)
    .reply(rejectRequest, null)
    .reply(revokeApproval, null)
})

async function open(path: string, target: string): Promise<void> {
  await openConsole(path)
  await expect.element(page.getByText(target).first()).toBeVisible()
}
const payouts = () => open('/staff/payouts', 'Daniel Osei')
const payout = (item = first) => open(`/staff/payouts/${item.id}`, 'Member is active')
const ticket = () => open('/staff/tickets/t1', 'Wallets now')
const key = (keys: string) => userEvent.keyboard(keys)
const at = (path: string) => expect.poll(() => location.pathname).toBe(path)
const field = (name: string) => expect.element(page.getByRole('textbox', { name, exact: true }))
const armed = (text: RegExp) => expect.element(page.getByText(text)).toBeInTheDocument()
const dialog = (name: string) => expect.element(page.getByRole('dialog', { name })).toBeVisible()

/** Checks the effect of each listed key on its page. */
const DOES: Readonly<Record<string, () => Promise<void>>> = {
  [`${MOD} K`]: async () => {
    await payouts()
    await key('{Control>}k{/Control}')
    await dialog('Search and commands')
  },
  'J K': async () => {
    await payouts()
    await key('jj')
    await at(`/staff/payouts/${second.id}`)
    await key('k')
    await at(`/staff/payouts/${first.id}`)
  },
  X: async () => {
    await payout()
    await key('x')
    await expect.element(page.getByText('1 selected')).toBeVisible()
  },
  '⇧ J ⇧ K': async () => {
    await payout(second)
    await key('{Shift>}k{/Shift}')
    await at(`/staff/payouts/${first.id}`)
    await expect.element(page.getByText('2 selected')).toBeVisible()
    await key('x{Shift>}j{/Shift}')
    await at(`/staff/payouts/${second.id}`)
  },
  '/': async () => {
    await payouts()
    await key('/')
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Kind')
    await open('/staff/members', 'Unverified')
    await key('/a')
    await field('Find members').toHaveValue('a')
    await ticket()
    await key('r/')
    await expect.element(page.getByRole('region', { name: 'Saved replies' })).toBeVisible()
  },
  A: async () => {
    await payout()
    await key('a')
    await field('Reason').toHaveFocus()
    await armed(/^Approve and pay .* is ready to send$/)
  },
  R: async () => {
    await payout()
    await key('r')
    await field('Reason').toHaveFocus()
    await armed(/^Reject is ready to send$/)
  },
  '1 to 3': async () => {
    await payout()
    for (const [index, text] of ['Confirmed with the member', 'Known address', 'Matches the history'].entries()) {
      await key(String(index + 1))
      await field('Reason').toHaveValue(text)
    }
  },
  O: async () => {
    await payout()
    await key('o')
    await at(`/staff/members/${first.member.id}/timeline`)
  },
  C: async () => {
    api.reply(revealRequestAddress, { address: '0x52908400098527886E0F7030069857D2E4169EE7' })
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await payout()
    await key('c')
    await expect.poll(() => copied.mock.calls).toEqual([['0x52908400098527886E0F7030069857D2E4169EE7']])
  },
  P: async () => {
    await open('/staff/changes', 'No open proposals')
    await key('p')
    await at('/staff/catalogue')
  },
  'R N': async () => {
    await ticket()
    await key('n')
    await field('Internal note').toHaveFocus()
    await key('{Escape}r')
    await field('Reply').toHaveFocus()
  },
  'I E': async () => {
    await ticket()
    await key('i')
    await expect.poll(() => api.calls(assignTicket).map(({ body }) => body)).toEqual([{ to: testStaff.person.id }])
    await key('e')
    await expect.poll(() => api.calls(closeTicketAsStaff)).toHaveLength(1)
  },
  [`${MOD} ↵`]: async () => {
    await payout()
    await key('rNot theirs{Control>}{Enter}{/Control}')
    await expect.poll(() => api.calls(rejectRequest).map(({ params }) => params['id'])).toEqual([first.id])
  },
  Z: async () => {
    await payout()
    await key('a{Control>}{Enter}{/Control}')
    await expect.element(page.getByText(/closing the page sends nothing/)).toBeVisible()
    await at(`/staff/payouts/${second.id}`)
    await key('z')
    await expect.element(page.getByText(/closing the page sends nothing/)).not.toBeInTheDocument()
    expect(api.calls(approveRequest)).toEqual([])
  },
  U: async () => {
    await payout(approved)
    await key('u')
    await expect.poll(() => api.calls(revokeApproval).map(({ params }) => params['id'])).toEqual([approved.id])
  },
  Esc: async () => {
    await payout()
    await key('rNot theirs')
    await armed(/^Reject is ready to send$/)
    await key('{Escape}')
    await expect.element(page.getByText(/is ready to send$/)).not.toBeInTheDocument()
    await field('Reason').toHaveValue('Not theirs')
  },
  '?': async () => {
    await payouts()
    await key('?')
    await dialog('Keyboard shortcuts')
  },
  ...Object.fromEntries(
    pages
      .filter((view) => view.key !== undefined)
      .map((view) => [
        `G ${view.key?.toUpperCase()}`,
        async () => {
          await (view.name === 'payouts' ? open('/staff/deposits', 'Deposits to match') : payouts())
          await key(`g${view.key}`)
          await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(view.title)
          await at(view.name === '' ? '/staff' : `/staff/${view.name}`)
        },
      ]),
  ),
}

it('lists the keys from the top, with the switch below and Close visible', async () => {
  await page.viewport(1280, 500)
  onTestFinished(() => page.viewport(1280, 900))
  await payouts()
  await key('?')
  await dialog('Keyboard shortcuts')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect.element(sheet.getByRole('heading', { name: 'Keyboard shortcuts' })).toHaveFocus()
  expect(sheet.element().scrollHeight).toBeGreaterThan(sheet.element().clientHeight)
  await expect.poll(() => sheet.element().scrollTop).toBe(0)
  await expect.element(sheet.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  expect([...sheet.element().querySelectorAll('dt')].map((one) => one.textContent).toSorted()).toEqual(Object.keys(DOES).toSorted())
  await key('{Tab}')
  await expect.element(sheet.getByRole('checkbox', { name: 'Use single letters as shortcuts' })).toHaveFocus()
  await key('{Tab}{Enter}')
  await expect.element(sheet).not.toBeInTheDocument()
})

it.each(Object.keys(DOES))('performs the listed keys of %s', async (name) => {
  await DOES[name]?.()
})
