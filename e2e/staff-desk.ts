import { expect, type Page } from '@playwright/test'

/** What staff do in the console again and again. A page may be missing only where nobody came in. */

/** The page of somebody who came in. */
export function at(page: Page | undefined): Page {
  if (page === undefined) throw new Error('nobody came in')
  return page
}

export const row = (page: Page | undefined, name: string | RegExp) => at(page).getByRole('option', { name })
export const reason = (page: Page | undefined) => at(page).getByRole('textbox', { name: 'Reason' })
export const open = (page: Page | undefined, view: string) => at(page).goto(new URL(`/staff/${view}`, at(page).url()).href)

/** Gives the reason in the dialog that is open, and does it. */
export async function confirm(page: Page | undefined, verb: string, why: string): Promise<void> {
  const dialog = at(page).getByRole('dialog')
  await dialog.getByLabel('Reason').fill(why)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Opens the newest proposal that waits for the reader, and approves it. */
export async function approveProposal(page: Page | undefined, title: RegExp, verb = /^Approve, in force at once/): Promise<void> {
  await open(page, 'changes')
  await row(page, title).first().click()
  await at(page).getByRole('button', { name: verb }).click()
  await expect(at(page).getByText(/^(The change is in force|Planned for)/)).toBeVisible()
}
