import { onTestFinished } from 'vitest'

type Answers = Record<string, (params: readonly unknown[]) => unknown>

/** Wallet of a test: answers requests and records them. */
export interface TestWallet {
  calls: { method: string; params: readonly unknown[] }[]
  answers: Answers
}

/** Error of a wallet, with the code of EIP-1193. */
export const walletError = (code: number, message = 'no') => Object.assign(new Error(message), { code })

/** Puts a wallet into the browser, as an extension does (EIP-6963), until the test ends. */
export function announceWallet(answers: Answers, info: Record<string, unknown> = {}): TestWallet {
  const wallet: TestWallet = { calls: [], answers }
  const provider = {
    request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      wallet.calls.push({ method, params })
      const answer = wallet.answers[method]
      if (answer === undefined) throw walletError(4200)
      return await answer(params)
    },
  }
  const detail = { info: { uuid: crypto.randomUUID(), name: 'Test Wallet', rdns: 'org.example.wallet', ...info }, provider }
  const announce = (): boolean => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  onTestFinished(() => removeEventListener('eip6963:requestProvider', announce))
  return wallet
}
