import { texts } from '@tizara/languages'
import { useEffect, useState } from 'react'

/**
 * Wallets of the browser: they announce themselves (EIP-6963), and the page sends them requests (EIP-1193). No other server takes part.
 */
export interface BrowserWallet {
  id: string
  name: string
  /** Reverse domain name of the wallet's maker, such as `io.metamask`. */
  rdns: string
  /** `data:` URI of an image. Scripts in an image do not run, not even in SVG. */
  icon: string | undefined
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

const MAX_WALLETS = 12
const MAX_NAME = 40
/** Maximum length of an icon's URI. EIP-6963 asks for an image of at least 96 pixels. */
const MAX_ICON = 200_000
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const cleanText = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? Array.from(
        value
          .slice(0, 4 * max)
          .replaceAll(INVISIBLE, '')
          .trim(),
      )
        .slice(0, max)
        .join('')
    : ''

/** Returns the announced wallet; undefined if the announcement is incomplete. */
function walletOf(event: Event): BrowserWallet | undefined {
  try {
    const { info, provider } = (event as CustomEvent<{ info: Record<string, unknown>; provider: Pick<BrowserWallet, 'request'> }>).detail
    const [id, name, icon] = [cleanText(info['uuid'], MAX_NAME), cleanText(info['name'], MAX_NAME), info['icon']]
    if (id === '' || name === '' || typeof provider.request !== 'function') return undefined
    return {
      id,
      name,
      rdns: cleanText(info['rdns'], 2 * MAX_NAME),
      icon: typeof icon === 'string' && icon.length <= MAX_ICON && /^data:image\//i.test(icon) ? icon : undefined,
      request: (call) => provider.request(call),
    }
  } catch {
    return undefined
  }
}

/** Lists the wallets that announce themselves, in the order of their names. */
export function useBrowserWallets(): readonly BrowserWallet[] {
  const [wallets, setWallets] = useState<readonly BrowserWallet[]>([])
  useEffect(() => {
    const announce = (event: Event): void => {
      const wallet = walletOf(event)
      if (wallet === undefined) return
      setWallets((known) =>
        known.length >= MAX_WALLETS || known.some(({ id }) => id === wallet.id)
          ? known
          : [...known, wallet].toSorted((one, other) => one.name.localeCompare(other.name) || one.rdns.localeCompare(other.rdns)),
      )
    }
    addEventListener('eip6963:announceProvider', announce)
    dispatchEvent(new Event('eip6963:requestProvider'))
    return () => removeEventListener('eip6963:announceProvider', announce)
  }, [])
  return wallets
}

/** Thrown if a wallet did not do what the member asked. The message tells the member the next step. */
export class WalletError extends Error {}

/** Error codes of EIP-1193, EIP-3085 and EIP-1474. */
const REJECTED = 4001
const ALREADY_ASKED = -32_002
const UNKNOWN_CHAIN = 4902
const TEXTS: Readonly<Record<number, string>> = texts({
  [REJECTED]: 'You rejected the request in your wallet. Nothing was sent.',
  4100: 'Your wallet does not allow this page to use the account. Connect it again.',
  4200: 'Your wallet does not support this request.',
  4900: 'Your wallet is not connected to a chain.',
  4901: 'Your wallet is not connected to this chain.',
  [ALREADY_ASKED]: 'Your wallet already shows a request. Open your wallet and answer it.',
})

/** Returns an error's code. Some wallets wrap the code of EIP-3085 in an internal error. */
function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } | null }
  const inner = data?.originalError?.code
  return typeof inner === 'number' ? inner : typeof code === 'number' ? code : undefined
}

async function ask(wallet: BrowserWallet, method: string, ...params: readonly unknown[]): Promise<unknown> {
  try {
    return await wallet.request({ method, params })
  } catch (error) {
    const known = TEXTS[codeOf(error) ?? 0]
    if (known !== undefined) throw new WalletError(known, { cause: error })
    const text = cleanText((error as Error | undefined)?.message, 200)
    throw new WalletError(text === '' ? 'Your wallet reported an error.' : `Your wallet reported an error: ${text}`, { cause: error })
  }
}

/** Returns the selected account, lower case; undefined if the answer names none. */
function firstAccount(answer: unknown): string | undefined {
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? first.toLowerCase() : undefined
}

/**
 * Connects the wallet.
 * @returns the selected account, lower case
 * @throws WalletError
 */
export async function connectAccount(wallet: BrowserWallet): Promise<string> {
  const account = firstAccount(await ask(wallet, 'eth_requestAccounts'))
  if (account === undefined) throw new WalletError('Your wallet named no account.')
  return account
}

const chainOf = async (wallet: BrowserWallet): Promise<number> => Number(await ask(wallet, 'eth_chainId'))
const hexOf = (value: number | bigint): string => `0x${value.toString(16)}`

/** Chains that the page can add to a wallet, with public nodes for the wallet (chainlist.org). The page itself asks no node. */
const ADDABLE: Readonly<Record<number, Record<string, unknown>>> = {
  56: {
    chainName: 'BNB Smart Chain',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: ['https://bsc-dataseed.bnbchain.org'],
    blockExplorerUrls: ['https://bscscan.com'],
  },
  97: {
    chainName: 'BNB Smart Chain Testnet',
    nativeCurrency: { name: 'tBNB', symbol: 'tBNB', decimals: 18 },
    rpcUrls: ['https://bsc-testnet-dataseed.bnbchain.org'],
    blockExplorerUrls: ['https://testnet.bscscan.com'],
  },
}

/**
 * Switches the wallet to a chain, and adds the chain if the wallet does not know it.
 * @throws WalletError
 */
export async function selectChain(wallet: BrowserWallet, chainId: number): Promise<void> {
  if ((await chainOf(wallet)) === chainId) return
  const chain = { chainId: hexOf(chainId) }
  try {
    await ask(wallet, 'wallet_switchEthereumChain', chain)
  } catch (error) {
    const { cause } = error as WalletError
    if (codeOf(cause) !== UNKNOWN_CHAIN) throw error
    const details = ADDABLE[chainId]
    if (details === undefined) throw new WalletError(`Your wallet does not know the chain ${chainId}. Add it there, and try again.`)
    await ask(wallet, 'wallet_addEthereumChain', { ...chain, ...details })
  }
  if ((await chainOf(wallet)) !== chainId) throw new WalletError('Your wallet uses another chain. Switch it there, and try again.')
}

/** Token payment, in the token's smallest unit. */
export interface TokenPayment {
  chainId: number
  token: string
  to: string
  amount: bigint
}

const word = (value: string): string => value.replace(/^0x/, '').toLowerCase().padStart(64, '0')

/** Returns the balance of an account in a token; undefined if the wallet does not return it. */
async function balanceOf(wallet: BrowserWallet, token: string, account: string): Promise<bigint | undefined> {
  try {
    // First four bytes: `balanceOf(address)`.
    const answer = await wallet.request({ method: 'eth_call', params: [{ to: token, data: `0x70a08231${word(account)}` }, 'latest'] })
    return typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined
  } catch {
    return undefined
  }
}

/**
 * Asks the wallet to send exactly this token payment.
 * @param from the account that the member saw
 * @returns the hash that the wallet reports. It is no proof of a payment
 * @throws WalletError, also if the account or the chain changed meanwhile, or the account holds too little
 */
export async function sendTokens(wallet: BrowserWallet, from: string, { chainId, token, to, amount }: TokenPayment): Promise<string> {
  await selectChain(wallet, chainId)
  await assertSameAccount(wallet, from)
  const balance = await balanceOf(wallet, token, from)
  if (balance !== undefined && balance < amount) throw new WalletError('The account holds too little of the token. Nothing was sent.')
  // First four bytes: `transfer(address,uint256)`.
  const data = `0xa9059cbb${word(to)}${word(amount.toString(16))}`
  const hash = await ask(wallet, 'eth_sendTransaction', { from, to: token, value: '0x0', data, chainId: hexOf(chainId) })
  if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)) return hash.toLowerCase()
  throw new WalletError('Your wallet reported no transaction. Check in your wallet whether it was sent before you pay again.')
}

/**
 * Asks the wallet to sign a text (EIP-191).
 * @param account the account that signs, lower case
 * @returns the signature as hex
 * @throws WalletError, also if another account is selected
 */
export async function signText(wallet: BrowserWallet, account: string, text: string): Promise<string> {
  await assertSameAccount(wallet, account)
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'))
  const signature = await ask(wallet, 'personal_sign', `0x${bytes.join('')}`, account)
  if (typeof signature === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(signature)) return signature
  throw new WalletError('Your wallet returned no signature.')
}

/** @throws WalletError if the wallet's selected account is another one by now */
async function assertSameAccount(wallet: BrowserWallet, account: string): Promise<void> {
  if (firstAccount(await ask(wallet, 'eth_accounts')) !== account)
    throw new WalletError('The account in your wallet changed. Choose the wallet again.')
}
