import { popup } from '@tizara/contract/announcements'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FakeApi } from '../test/fake-api.ts'
import { mount } from '../test/mount.tsx'
import { AnnouncementPopup } from './announcement-popup.tsx'

let api: FakeApi
const box = () => page.getByRole('alertdialog')
const announcement = { title: 'Maintenance', message: 'On Sunday', isActive: true }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  api = new FakeApi().reply(popup, announcement)
})

it('[ST-58] [ST-59] [UI-M-ANNOUNCE-02] [UI-M-ANNOUNCE-03] [CO-27] opens after 2 seconds, and clears the flag when it is closed', async () => {
  localStorage.setItem('popupShown', 'true')
  await mount(<AnnouncementPopup />)
  await expect.poll(() => api.calls(popup).length).toBe(1)
  await vi.advanceTimersByTimeAsync(1400)
  await expect.element(box()).not.toBeInTheDocument()
  await vi.advanceTimersByTimeAsync(600)
  await expect.element(box().getByRole('heading', { name: 'Maintenance' })).toBeVisible()
  await expect.element(box().getByText('On Sunday')).toBeVisible()
  await box().getByRole('button', { name: 'Close' }).click()
  await expect.element(box()).not.toBeInTheDocument()
  expect(localStorage.getItem('popupShown')).toBeNull()
})

it('[ST-60] opens for any value of the flag, and closes with Escape', async () => {
  localStorage.setItem('popupShown', 'false')
  await mount(<AnnouncementPopup />)
  await vi.advanceTimersByTimeAsync(2100)
  await expect.element(box()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(localStorage.getItem('popupShown')).toBeNull()
})

it('[ST-58] stays closed without the flag, and when the announcement is inactive', async () => {
  const screen = await mount(<AnnouncementPopup />)
  await vi.advanceTimersByTimeAsync(3000)
  await expect.element(box()).not.toBeInTheDocument()
  expect(api.calls(popup)).toHaveLength(0)
  await screen.unmount()
  localStorage.setItem('popupShown', 'true')
  api.reply(popup, { ...announcement, isActive: false })
  await mount(<AnnouncementPopup />)
  await expect.poll(() => api.calls(popup).length).toBe(1)
  await vi.advanceTimersByTimeAsync(3000)
  await expect.element(box()).not.toBeInTheDocument()
})

it('waits while another dialog is open', async () => {
  localStorage.setItem('popupShown', 'true')
  const form = document.createElement('dialog')
  document.body.append(form)
  form.showModal()
  await mount(<AnnouncementPopup />)
  await vi.advanceTimersByTimeAsync(5000)
  await expect.poll(() => api.calls(popup).length).toBe(1)
  await expect.element(box()).not.toBeInTheDocument()
  form.close()
  await expect.element(box().getByRole('heading', { name: 'Maintenance' })).toBeVisible()
  form.remove()
})
