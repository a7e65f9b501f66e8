import { staffMe } from '@tizara/contract/staff'
import { staffHealth } from '@tizara/contract/staff-health'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'
import { briefly } from '../../kit/when.ts'

const since = new Date(Date.UTC(2026, 2, 1, 9, 30))
const report = {
  at: new Date().toISOString(),
  version: '0.1.0',
  state: 'bad' as const,
  findings: [
    { area: 'queues', state: 'good' as const, what: 'complete' },
    {
      area: 'worker',
      state: 'bad' as const,
      what: 'no worker is running',
      fix: 'run `systemctl start tizara-worker`',
      affects: 'Mails and rewards are late for members.',
      action: { label: 'Open overview', href: '/staff' },
      since,
    },
  ],
}
let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffHealth'] })
    .reply(staffHealth, report)
})

it('shows errors first with start, affected people and buttons, and runs the checks again', async () => {
  await openConsole('/staff/health')
  const lines = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  await expect
    .element(lines.first())
    .toHaveTextContent(
      `Errorworkerno worker is runningSince ${briefly(since)} UTC. Mails and rewards are late for members.Open overviewOn the server: run systemctl start tizara-worker`,
    )
  await expect.element(lines.nth(1)).toHaveTextContent('OKqueuescomplete')
  await expect.element(lines.getByRole('link', { name: 'Open overview' })).toHaveAttribute('href', '/staff')
  api.reply(staffHealth, { ...report, state: 'good', findings: report.findings.slice(0, 1) })
  await press('Run checks')
  await expect.poll(() => lines.elements().length).toBe(1)
  expect(api.calls(staffHealth)).toHaveLength(2)
})
