import { pathToFileURL } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './fixtures.ts'

/** Downloads a file, and returns its path. */
async function save(page: Page, link: Locator, to: (name: string) => string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const file = to(download.suggestedFilename())
  await download.saveAs(file)
  return file
}

test('[I12] checks a proof in the app, and its downloaded files with the checker without a network and with the command', async ({
  browser,
  stack,
  memberContext,
}, info) => {
  // The worker publishes the day within seconds after its start.
  await expect(async () => {
    const reply = await fetch(`${stack.url}/api/v1/trust/history`)
    expect(await reply.text()).toContain('Proof of balances')
  }).toPass()
  const page = await (await memberContext('amara')).newPage()
  await page.goto(`${stack.url}/trust`)
  const card = page.getByRole('region', { name: 'Check your own amounts' })
  await card.getByRole('button', { name: 'Check my amounts' }).click()
  await expect(card.getByText('Your amounts are part of the published numbers')).toBeVisible()
  const to = (name: string) => info.outputPath(name)
  const proof = await save(page, card.getByRole('button', { name: 'Download proof.json' }), to)
  const history = await save(page, card.getByRole('button', { name: 'Download history.json' }), to)
  const checkerFile = await save(page, card.getByRole('link', { name: 'Download the checker' }), to)

  const offline = await browser.newContext({ offline: true })
  const checker = await offline.newPage()
  await checker.goto(pathToFileURL(checkerFile).href)
  await checker.getByLabel('History').setInputFiles(history)
  await checker.getByLabel('Proofs').setInputFiles(proof)
  await expect(checker.getByText(/^proof\.json: ok /)).toBeVisible()
  await checker.getByLabel('Your member id').fill('another-member')
  await checker.getByLabel('Your member id').blur()
  await expect(checker.getByText(/^proof\.json: refused member: /)).toBeVisible()
  await offline.close()

  const command = stack.command('verify-proof', ['--history', history, proof])
  expect(command.output).toContain('proof.json: ok ')
  expect(command.status).toBe(0)
})
