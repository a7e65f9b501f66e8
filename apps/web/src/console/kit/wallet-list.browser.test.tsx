import '../shell/console.css'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { WalletList } from './wallet-list.tsx'

const none = {
  depositWallet: 0n,
  nativeWallet: 0n,
  icoWallet: 0n,
  stakeWallet: 0n,
  newIcoWallet: 0n,
  nftWallet: 0n,
  rcmWallet: 0n,
}

it('shows every wallet with a balance in the member’s order, and folds the empty ones', async () => {
  await render(
    <WalletList
      balances={{ ...none, rcmWallet: 3_00000000n, newIcoWallet: 20_250_00000000n, depositWallet: 5_00000000n }}
      held={{ usd: 0n, coin: 7_00000000n }}
    />,
  )
  const names = () =>
    page
      .getByRole('term')
      .elements()
      .map((term) => term.textContent)
  await expect.poll(names).toEqual(['Deposit Wallet', 'My Wallet', 'Held for bridges', 'ICO Wallet', 'RCM Wallet'])
  await expect.element(page.getByText('20,250.00')).toBeVisible()
  await page.getByText('3 empty wallets').click()
  await expect.poll(names).toHaveLength(8)
})
