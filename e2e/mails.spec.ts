import { expect, test } from '@playwright/test'
import { SAMPLES } from '../apps/server/src/gateways/mailer/samples.ts'
import { renderMail } from '../apps/server/src/gateways/mailer/templates.ts'
import { defaultBrand } from '../apps/server/src/platform/config/brand.ts'
import { accessibilityViolations, sidewaysScroll } from './session.ts'

const BRAND = {
  brand: defaultBrand('Tizara'),
  publicUrl: 'https://members.tizara.example',
  dataDir: '/none',
  codeMinutes: 10,
  verifyLinkHours: 24,
  resetLinkMinutes: 30,
  mailTexts: {},
}
/** Same length as tokens in real links. */
const TOKEN = 'cGF5b3V0fFZ2N0pYc1RkQ2lZ'.repeat(6)

for (const width of [360, 600])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`[GN-10] shows each mail without overflow at ${width} px, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 740 })
      for (const [name, { template, data }] of Object.entries(SAMPLES)) {
        const filled = 'token' in data ? { ...data, token: TOKEN } : data
        await page.setContent(renderMail(BRAND, template, filled).html)
        expect([name, await sidewaysScroll(page)]).toEqual([name, 0])
        expect([name, await accessibilityViolations(page)]).toEqual([name, []])
        await expect(page.getByText('Tizara', { exact: true })).toBeVisible()
        const wide = await page.evaluate(
          () =>
            [...document.querySelectorAll('p, td, a')].filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0).length,
        )
        expect([name, wide]).toEqual([name, 0])
        const address = 'address' in data ? data.address : undefined
        if (address !== undefined) await expect(page.getByText(address, { exact: true })).toBeVisible()
        for (const button of await page.getByRole('link').all()) {
          const box = await button.boundingBox()
          expect([name, (box?.height ?? 0) >= 44]).toEqual([name, true])
        }
      }
    })
