import { expect, type Page } from '@playwright/test'

/** Shared staff actions in the console. A page may be missing only if sign-in failed. */

/** Returns a signed-in staff member's page. */
export function at(page: Page | undefined): Page {
  if (page === undefined) throw new Error('nobody came in')
  return page
}

export const row = (page: Page | undefined, name: string | RegExp) => at(page).getByRole('option', { name })
export const reason = (page: Page | undefined) => at(page).getByRole('textbox', { name: 'Reason' })
export const open = (page: Page | undefined, view: string) => at(page).goto(new URL(`/staff/${view}`, at(page).url()).href)

/** Enters the reason in the open dialog and confirms. */
export async function confirm(page: Page | undefined, verb: string, why: string): Promise<void> {
  const dialog = at(page).getByRole('dialog')
  await dialog.getByLabel('Reason').fill(why)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Opens the newest proposal for this reader and approves it. */
export async function approveProposal(page: Page | undefined, title: RegExp, verb = /^Approve, effective immediately/): Promise<void> {
  await open(page, 'changes')
  await row(page, title).first().click()
  await at(page).getByRole('button', { name: verb }).click()
  await expect(at(page).getByText(/^(The change is now in effect|Planned for)/)).toBeVisible()
}
