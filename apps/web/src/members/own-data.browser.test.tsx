import { errorCatalogue } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { startOwnData } from '@tizara/contract/own-data'
import { ownJob } from '@tizara/contract/wallets-statements'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, press, signedIn } from '../test/open-app.tsx'

let api: FakeApi
beforeEach(() => {
  api = memberApi().reply(profile, { ...testMember, secondFactor: false })
})

it('requests the file with a proof, says why not, and offers the download', async () => {
  api.refuse(startOwnData, 400, errorCatalogue.CURRENT_PASSWORD_WRONG.message)
  await openApp('/profile', signedIn)
  await press('Download my data')
  await press('Create the file')
  await expect.element(page.getByText('This field is required')).toBeVisible()
  await page.getByRole('dialog').getByLabelText('Password', { exact: true }).fill('correct horse')
  await press('Create the file')
  await expect.element(page.getByText(errorCatalogue.CURRENT_PASSWORD_WRONG.message)).toBeVisible()
  api.reply(startOwnData, { jobId: 'job-1' }).reply(ownJob, {
    id: 'job-1',
    state: 'DONE',
    done: 1,
    total: 1,
    fileHref: '/jobs/job-1/file',
    fileName: 'my-data.zip',
  })
  await press('Create the file')
  await expect.element(page.getByRole('button', { name: 'Download my-data.zip' })).toBeVisible()
  expect(api.calls(startOwnData).at(-1)?.body).toEqual({ password: 'correct horse' })
})
