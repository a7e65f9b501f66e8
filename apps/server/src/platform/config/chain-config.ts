import { isSignedBy, proceedsText, reserveText } from '@tizara/contract/balance-proof/verify-signature'
import type { Environment } from './environment.ts'
import { ConfigErrors } from './setting.ts'

/** A chain, the tokens on this chain, and the nodes to read from. */
interface ChainConfig {
  chainId: number
  /** The coin's contract, lower case. */
  token: string
  decimals: number
  /** USD token for deposits and payouts. Without a token, members pay USD only through the provider. */
  usd: PaidToken | undefined
  xpub: string
  /** After a restore, the search for the invoice addresses of one hour ends after this many unused addresses in a row. */
  addressGap: number
  /** Blocks after which a block is final at the earliest, at least twelve. */
  confirmations: number
  /** Transfers above these amounts (whole units) need more blocks before the credit. */
  large: { usd: number; coin: number; confirmations: number }
  startBlock: number | undefined
  rpcUrl: string
  secondRpcUrl: string | undefined
}

/** A token of the chain. */
interface PaidToken {
  /** Contract address of the token, lower case. */
  token: string
  decimals: number
}

/** A token in the hot wallet. */
interface HeldToken extends PaidToken {
  /** Maximum in whole units. Above it, staff move the surplus to cold storage. */
  ceiling?: number | undefined
}

/** Settings of automatic payouts. */
interface PayoutsConfig {
  coin: HeldToken
  usd: HeldToken
  /** Maximum gwei for a unit of gas. */
  maxGasGwei: number
  /** Maximum payouts in flight. */
  inFlight: number
  /** Maximum paid out per hour, in whole units. */
  hourUsd: number
  hourCoin: number
}

/** Location of the hot wallet's key. Only the worker needs it. */
type SignerConfig = { file: string; password: string } | { url: string; address: string }

/** Settings of token sweeps off invoice addresses. */
interface SweepConfig {
  /** Keystore with the extended private key of the invoice addresses. */
  keystore: { file: string; password: string }
  /** Destination address, lower case; the hot wallet by default. */
  to: string | undefined
  /** Minimum amount worth the gas, in whole units. */
  minUsd: number
  minCoin: number
}

/** @throws ConfigErrors when only some of the chain settings are set */
export function chainOf(settings: Environment): ChainConfig | undefined {
  const { CHAIN_RPC_URL: rpcUrl, CHAIN_TOKEN: token, CHAIN_XPUB: xpub } = settings
  if (rpcUrl === undefined && token === undefined && xpub === undefined) return undefined
  if (rpcUrl === undefined || token === undefined || xpub === undefined)
    throw new ConfigErrors('Configuration', ['CHAIN_RPC_URL, CHAIN_TOKEN, CHAIN_XPUB: all of them, or none'])
  const { CHAIN_ID: chainId, CHAIN_TOKEN_DECIMALS: decimals, CHAIN_START_BLOCK: startBlock, CHAIN_SECOND_RPC_URL: secondRpcUrl } = settings
  const usd =
    settings.CHAIN_USD_TOKEN === undefined ? undefined : { token: settings.CHAIN_USD_TOKEN, decimals: settings.CHAIN_USD_TOKEN_DECIMALS }
  if (usd?.token === token) throw new ConfigErrors('Configuration', ['CHAIN_TOKEN and CHAIN_USD_TOKEN are the same contract'])
  return {
    chainId,
    token,
    decimals,
    usd,
    xpub,
    addressGap: settings.CHAIN_ADDRESS_GAP,
    confirmations: settings.CHAIN_CONFIRMATIONS,
    large: { usd: settings.CHAIN_LARGE_USD, coin: settings.CHAIN_LARGE_COIN, confirmations: settings.CHAIN_LARGE_CONFIRMATIONS },
    startBlock,
    rpcUrl,
    secondRpcUrl,
  }
}

/** @throws ConfigErrors when a setting for sending is missing */
export function payoutsOf(settings: Environment): PayoutsConfig | undefined {
  if (settings.PAYOUTS !== 'automatic') return undefined
  const { CHAIN_TOKEN: coin, CHAIN_USD_TOKEN: usd } = settings
  if (coin === undefined || usd === undefined)
    throw new ConfigErrors('Configuration', [
      'PAYOUTS=automatic needs the chain (CHAIN_RPC_URL, CHAIN_TOKEN, CHAIN_XPUB) and CHAIN_USD_TOKEN',
    ])
  return {
    coin: { token: coin, decimals: settings.CHAIN_TOKEN_DECIMALS, ceiling: settings.PAYOUT_CEILING_COIN },
    usd: { token: usd, decimals: settings.CHAIN_USD_TOKEN_DECIMALS, ceiling: settings.PAYOUT_CEILING_USD },
    maxGasGwei: settings.PAYOUT_GAS_GWEI,
    inFlight: settings.PAYOUT_IN_FLIGHT,
    hourUsd: settings.PAYOUT_HOUR_USD,
    hourCoin: settings.PAYOUT_HOUR_COIN,
  }
}

/** @throws ConfigErrors when a setting for token sweeps is missing */
export function readTokenSweep(settings: Environment): SweepConfig | undefined {
  const { SWEEP_KEYSTORE: file, SWEEP_KEYSTORE_PASSWORD: password, SWEEP_TO: to } = settings
  if (file === undefined) return undefined
  if (password === undefined || settings.CHAIN_XPUB === undefined || (to === undefined && signerOf(settings) === undefined))
    throw new ConfigErrors('Configuration', [
      'SWEEP_KEYSTORE needs SWEEP_KEYSTORE_PASSWORD, CHAIN_XPUB, and SWEEP_TO or the hot wallet of payouts',
    ])
  return { keystore: { file, password }, to, minUsd: settings.SWEEP_MIN_USD, minCoin: settings.SWEEP_MIN_COIN }
}

/** @throws ConfigErrors when a file and a signer are named, or either is incomplete */
export function signerOf(settings: Environment): SignerConfig | undefined {
  const { PAYOUT_KEYSTORE: file, PAYOUT_KEYSTORE_PASSWORD: password, PAYOUT_SIGNER_URL: url, PAYOUT_SIGNER_ADDRESS: address } = settings
  if (file === undefined && url === undefined) return undefined
  if (file !== undefined && password !== undefined && url === undefined) return { file, password }
  if (url !== undefined && address !== undefined && file === undefined) return { url, address }
  throw new ConfigErrors('Configuration', [
    'PAYOUT_KEYSTORE with PAYOUT_KEYSTORE_PASSWORD, or PAYOUT_SIGNER_URL with PAYOUT_SIGNER_ADDRESS: one of both',
  ])
}

/**
 * Address of the operator, lower case, with a signature by the address's key. The signature proves that the address belongs to the
 * platform.
 */
export interface ReserveAddress {
  address: string
  signature: string
}

/** @throws ConfigErrors for an address twice, without a chain, or with a signature of another key or text */
export const reserveAddressesOf = (settings: Environment): ReserveAddress[] => signedAddressesOf(settings, 'RESERVE_ADDRESSES', reserveText)

/**
 * Returns the addresses of the operator that may receive proceeds of the sales fund. A reserve address is none of them, because the
 * published reserves count it.
 * @throws ConfigErrors as `reserveAddressesOf`, and for a reserve address
 */
export function proceedsAddressesOf(settings: Environment): ReserveAddress[] {
  const addresses = signedAddressesOf(settings, 'PROCEEDS_ADDRESSES', proceedsText)
  const reserves = new Set((settings.RESERVE_ADDRESSES ?? []).map(({ address }) => address))
  if (addresses.some(({ address }) => reserves.has(address)))
    throw new ConfigErrors('Configuration', ['PROCEEDS_ADDRESSES: an address is also in RESERVE_ADDRESSES'])
  return addresses
}

function signedAddressesOf(
  settings: Environment,
  name: 'RESERVE_ADDRESSES' | 'PROCEEDS_ADDRESSES',
  textOf: (platform: string, chainId: number, address: string) => string,
): ReserveAddress[] {
  const { [name]: addresses = [], CHAIN_ID: chainId, BRAND_NAME: platform } = settings
  const errors = addresses
    .filter(({ address, signature }) => !isSignedBy(address, signature, textOf(platform, chainId, address)))
    .map(({ address }) => `${name}: the key of ${address} must sign this text: ${textOf(platform, chainId, address)}`)
  if (addresses.length > 0 && chainOf(settings)?.usd === undefined) errors.push(`${name} needs the chain and CHAIN_USD_TOKEN`)
  if (new Set(addresses.map(({ address }) => address)).size < addresses.length) errors.push(`${name}: an address is listed twice`)
  if (errors.length > 0) throw new ConfigErrors('Configuration', errors)
  return addresses
}

/** @throws ConfigErrors without the password or the chain, and for the key of the hot wallet */
export function digestKeystoreOf(settings: Environment): { file: string; password: string } | undefined {
  const { DIGEST_KEYSTORE: file, DIGEST_KEYSTORE_PASSWORD: password } = settings
  if (file === undefined) return undefined
  if (password === undefined || settings.CHAIN_RPC_URL === undefined)
    throw new ConfigErrors('Configuration', ['DIGEST_KEYSTORE needs DIGEST_KEYSTORE_PASSWORD and the chain (CHAIN_RPC_URL)'])
  if (file === settings.PAYOUT_KEYSTORE) throw new ConfigErrors('Configuration', ['DIGEST_KEYSTORE and PAYOUT_KEYSTORE are the same file'])
  return { file, password }
}
