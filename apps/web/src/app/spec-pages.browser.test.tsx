import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, signedIn } from '../test/open-app.tsx'
import { scrollDownTo } from '../test/scroll-down.ts'
import { specPage } from '../test/spec-page.ts'
import { memberRoutes } from './page-routes.ts'

/** A failed read's log message (lib/http/query.ts). */
const LOGGED = /^\w+ could not be loaded$/

let at: ReturnType<typeof specPage>

beforeEach(() => {
  at = specPage()
})

const main = () => page.getByRole('main')

for (const { ids, path, title, heading = title, texts } of [
  { ids: '[RT-09]', path: '/', title: 'Sign In', texts: ['Forget password', 'Sign Up'] },
  { ids: '[RT-10]', path: '/auth/signin', title: 'Sign In', texts: ['Forget password', 'Sign Up'] },
  { ids: '[RT-11]', path: '/auth/signup', title: 'Sign Up', heading: 'Sign Up to Tizara', texts: ['Create account'] },
  { ids: '[RT-12]', path: '/auth/forgot-password', title: 'Forgot Password', texts: ['Send Reset Link'] },
  { ids: '[RT-13]', path: '/auth/reset-password?token=t', title: 'Reset Password', texts: ['New Password'] },
  { ids: '[RT-14]', path: '/auth/verify?token=t', title: 'Verify Email', texts: ['Verify'] },
  { ids: '[RT-15]', path: '/verify-token', title: 'OTP Verification', texts: ['Resend OTP'] },
  { ids: '[RT-16]', path: '/auth-admin', title: 'Admin Sign In', texts: ['Sign In'] },
  {
    ids: '[RT-51] [API-95] [EN-54] [UI-INVOICE-01] [UI-INVOICE-03]',
    path: '/invoice?id=invoice-1',
    title: 'Invoice',
    texts: ['0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc', '250.00', 'TIZARA', 'Waiting for payment'],
  },
  { ids: '[RT-52]', path: '/pay/success', title: 'Payment Success', texts: ['HOME'] },
  { ids: '[RT-53]', path: '/pay/cancel', title: 'Payment Success', texts: ['HOME'] },
  { ids: '[RT-58]', path: '/nowhere', title: 'Not Found', heading: 'Page not found', texts: ['404'] },
]) {
  it(`${ids} ${path} opens for a visitor of a server that implements only the specification`, async () => {
    await openApp(path)
    await expect.element(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await expect.poll(() => document.title).toBe(title)
    for (const text of texts) await expect.poll(() => document.body.innerText).toContain(text)
    await at.expectSound()
  })
}

for (const { ids, path, title, texts } of [
  {
    ids: '[RT-19] [UI-BUYNFT-01] [UI-BUYNFT-05] [API-68] [EN-36]',
    path: '/store-nft/buy-nft',
    title: 'Purchase NFT',
    texts: ['Lake Dome', 'Under the stars', '250.00', '31,250.00', '12 months', '40', '8.33', 'Buy Now'],
  },
  { ids: '[RT-20]', path: '/special-rcm/last-sponsors', title: 'Purchase NFT', texts: ['Lake Dome'] },
  {
    ids: '[RT-27] [UI-STAKE-01] [UI-STAKE-04] [API-67] [EN-30]',
    path: '/stack-coin',
    title: 'Stake Now',
    texts: ['5,000.50', '3,000.00', '640.00', 'Gold', '365', '100', '120'],
  },
  {
    ids: '[RT-47] [UI-TEAM-01] [UI-TEAM-04] [API-82] [API-84]',
    path: '/my-team',
    title: 'My Team',
    texts: ['8,123,456.50', 'Bo Li', 'bo@gmail.com', 'CODEbo', 'AMARA7', '1,000.25'],
  },
  {
    ids: '[RT-49] [UI-RCM-09] [API-86] [API-88] [EN-49]',
    path: '/special-rcm',
    title: 'Special Rcm',
    texts: ['120,000.00', '86,000.25', '2,400.00', '1,200.00', 'bo@gmail.com', '111', '222.5'],
  },
  {
    ids: '[RT-50] [UI-PROFILE-04] [API-55] [EN-09] [EN-11]',
    path: '/profile',
    title: 'Profile',
    texts: ['Amara Obi', 'ACTIVE', 'GOLD', 'Special Member', 'AMARA7', '14'],
  },
  {
    ids: '[RT-55] [UI-TICKETS-01] [UI-TICKETS-02] [LS-46] [API-89]',
    path: '/support',
    title: 'Support',
    texts: ['Not arrived', 'I sent 250 USDT', '05 Mar 2026', 'OPEN'],
  },
  { ids: '[RT-57]', path: '/create-ticket', title: 'Create Ticket', texts: ['Ticket Title', 'Description', 'Image'] },
  { ids: '[RT-40]', path: '/history/deposit-wallet', title: 'Deposit Wallet', texts: ['Sample data'] },
  { ids: '[RT-41]', path: '/history/native-wallet', title: 'Native Wallet', texts: ['Sample data'] },
  { ids: '[RT-42]', path: '/history/Ico-wallet', title: 'ICO Wallet', texts: ['Sample data'] },
]) {
  it(`${ids} ${path} shows the data of a server that implements only the specification`, async () => {
    await openApp(path, signedIn)
    await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect.poll(() => document.title).toBe(title)
    for (const text of texts) await expect.poll(() => main().element().textContent).toContain(text)
    await at.expectSound()
  })
}

it('[RT-56] [UI-TICKET-01] [UI-TICKET-02] [UI-TICKET-09] [EN-51] shows a ticket of such a server', async () => {
  await openApp('/ticket/show/ticket-1', signedIn)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Not arrived' })).toBeVisible()
  for (const text of ['OPEN', 'I sent 250 USDT', 'We look at it', 'Thank you'])
    await expect.element(main().getByText(text, { exact: true })).toBeVisible()
  await expect
    .poll(
      () =>
        main()
          .getByRole('img', { name: /^Image/ })
          .elements().length,
    )
    .toBe(2)
  await at.expectSound()
})

it('[RT-18] [UI-DASH-16] [API-57] [API-58] [API-59] shows the dashboard of such a server with sums of its rows', async () => {
  await openApp('/dashboard', signedIn)
  await scrollDownTo('DOME')
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  for (const [name, figure] of [
    ['Deposit Wallet', '200.00'],
    ['Native Wallet', '5,000.50'],
    ['My Wallet', '3,000.00'],
    ['Stake Wallet', '640.00'],
    ['ICO Wallet', '1,234.57'],
    ['NFT Wallet', '50.25'],
    ['RCM Wallet', '4,200.30'],
    ['DOME', '2 held'],
    ['DOME', '7,500 left of 10,000'],
    ['Land', '110,000 left of 110,000'],
    ['TIZARA', '0.008'],
  ] as const)
    await expect.poll(() => region(name).element().textContent).toContain(figure)
  const stat = (name: string) => main().getByText(name, { exact: true }).element().closest('section')?.textContent
  await expect.element(page.getByText('Refferal Bonus', { exact: true })).toBeVisible()
  for (const [name, figure] of [
    ['My Team', '14'],
    ['Direct Refer', '1'],
    ['Total Deposit', '100.50 USD'],
    ['Level Reward', '50.50 TIZARA'],
    ['Total Reward', '3.29 TIZARA'],
    ['Refferal Bonus', '50.50 TIZARA'],
    ['Omega Reward', '20.00 TIZARA'],
  ] as const)
    await expect.poll(() => stat(name)).toContain(figure)
  await at.expectSound()
})

it('[UI-M-ANNOUNCE-01] [API-53] [EN-19] shows the announcement of such a server', async () => {
  await openApp('/dashboard', { ...signedIn, popupShown: 'true' })
  await expect.element(page.getByRole('alertdialog').getByText('On Sunday')).toBeVisible()
  await at.expectSound()
})

it('[UI-PROFILE-06] hides the profile forms that such a server does not accept', async () => {
  await openApp('/profile', signedIn)
  await expect.element(main().getByText('AMARA7', { exact: true })).toBeVisible()
  await at.expectSound()
  expect(main().element().querySelectorAll('form, input[type=password]')).toHaveLength(0)
})

it('[ER-67] shows the dashboard when a server answers 500 to unknown calls', async () => {
  at.server.unknown = new Response('{"message":"Internal server error"}', { status: 500 })
  await openApp('/dashboard', signedIn)
  await expect.element(page.getByRole('region', { name: 'Deposit Wallet', exact: true }).getByText('200.00')).toBeVisible()
  await scrollDownTo('Refferal Bonus')
  await expect.element(page.getByText('Refferal Bonus', { exact: true })).toBeVisible()
  await at.expectSound(LOGGED)
})

it.each(memberRoutes.map(({ path }) => path))('[ER-67] %s only logs that every load failed, and ends its loading state', async (path) => {
  at.server.everyRead = new Response('{"message":"Internal error"}', { status: 400 })
  await openApp(path.replace(':id', 'ticket-1'), signedIn)
  await expect.element(main()).toBeVisible()
  await at.expectSound(LOGGED)
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(main().element().textContent).not.toMatch(/error|fail|sorry|later|internal/i)
  // A failed load must not claim that a list is empty.
  expect(main().element().textContent).not.toMatch(/at the moment|grows when|nothing (happened|so far|yet)|no [\w ]+ yet|no entries/i)
  // Content below the fold renders near the window.
  const waiting = () => {
    scrollTo(0, document.documentElement.scrollHeight)
    return [...main().element().querySelectorAll('.animate-pulse, [aria-busy=true]')].map((one) => one.parentElement?.outerHTML)
  }
  await expect.poll(waiting).toEqual([])
})
