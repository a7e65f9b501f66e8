import type { Units } from '@tizara/money'
import {
  type ChainSettings,
  createEvmChain,
  openBranch,
  openSigner,
  type PayoutSigner,
  type TokenSweepPorts,
  chainNode,
} from '../gateways/chain/index.ts'
import { createMailer, type Mailer } from '../gateways/mailer/index.ts'
import { createPaymentProvider } from '../gateways/payment-provider/index.ts'
import type { DepositPorts } from '../modules/deposits/index.ts'
import type { SendingPorts } from '../modules/withdrawals/index.ts'
import type { Config } from '../platform/config/config.ts'
import { isDevChain, sandboxWallet } from '../sandbox/index.ts'
import { chainReserves } from '../modules/reconciliation/chain-reserves.ts'
import { type DigestChain, noReserves, type ReserveSource } from '../modules/trust/index.ts'

/** External services for a running instance. */
export interface Ports {
  deposits: DepositPorts
  /** Configured chain that the worker reads. */
  chain?: ChainSettings | undefined
  /** True for the development chain, which creates blocks only on request. */
  isDevChain?: boolean
  /** Ports for sending payouts; absent if they are manual, or this process has no key. */
  sending?: SendingPorts | undefined
  /** Token sweeps off invoice addresses; absent where this process has no key for them. */
  sweeping?: TokenSweepPorts | undefined
  /** Source of the published reserves, or the reason for none. */
  reserves?: ReserveSource
  /** Chain on which digests are published; absent where the operator does not, and without its key. */
  digests?: DigestChain | undefined
  /** USD units per unit of the chain's native coin; absent if network costs are not booked. */
  gasUsd?: Units | undefined
  mailer: Mailer
}

/** Returns the URL of the configured provider, otherwise of the bundled provider. */
const providerOf = ({ paymentProviderUrl, sandboxPort, port }: Config) =>
  paymentProviderUrl ?? `http://127.0.0.1:${sandboxPort ?? port + 1}`

export function createPorts(config: Config, providerUrl: string = providerOf(config), noticeBase: string = config.publicUrl): Ports {
  return {
    deposits: {
      provider: createPaymentProvider({
        url: providerUrl,
        apiKey: config.paymentProviderKey,
        login: config.paymentProviderLogin,
        noticeSecrets: [config.paymentProviderSecret, config.paymentProviderSecretPrevious].filter((secret) => secret !== undefined),
        ...(config.paymentInvoiceHosts === undefined ? {} : { invoiceHosts: config.paymentInvoiceHosts }),
      }),
      chain: config.chain === undefined ? null : createEvmChain(config.chain, config),
      sandboxWallet: sandboxWallet(config),
      noticeUrl: `${noticeBase}/api/v1/pay/notice`,
    },
    chain: config.chain,
    isDevChain: isDevChain(config),
    sending: sendingFor(config),
    sweeping: sweepingFor(config),
    reserves: reservesFor(config),
    digests: digestsFor(config),
    gasUsd: config.gasUsd,
    mailer: createMailer(config),
  }
}

/** Chooses the source of published reserves. */
function reservesFor(config: Config): ReserveSource {
  const { chain, payoutSigner, reserveAddresses: addresses } = config
  if (chain === undefined) return noReserves('no-chain')
  if (payoutSigner === undefined) return noReserves('no-key')
  const { chainId, rpcUrl, usd, xpub } = chain
  const signer = () => openSigner(payoutSigner)
  return chainReserves({ chainId, rpcUrl, usd, xpub, signer, sweptTo: sweepingFor(config)?.to, addresses })
}

/** Creates the ports for publishing digests, if a key is configured. The first run decrypts the key. */
function digestsFor({ chain, payouts, payoutSigner, digestKeystore }: Config): DigestChain | undefined {
  if (chain === undefined || digestKeystore === undefined) return undefined
  const open = async () => {
    const signer = await openSigner(digestKeystore)
    const wallet = payoutSigner && (await openSigner(payoutSigner)).address
    // Both would use the same nonces, and a payout could be replaced.
    if (signer.address === wallet) throw new Error('DIGEST_KEYSTORE has the key of the hot wallet')
    return signer
  }
  let opened: Promise<PayoutSigner> | undefined
  return {
    chainId: chain.chainId,
    node: chainNode(chain.rpcUrl),
    signer: () => (opened ??= open()),
    confirmations: chain.confirmations,
    maxGasPrice: BigInt(payouts?.maxGasGwei ?? GAS_GWEI) * GWEI,
  }
}

const GWEI = 1_000_000_000n
/** Maximum gas price in gwei without a payout configuration. */
const GAS_GWEI = 20
/** Number of seconds after which a transaction counts as stuck. By then a chain with one block per second has dropped it. */
const STUCK_SECONDS = 180

/** Creates the ports for sending payouts, if a key is configured. The first run decrypts the key. */
function sendingFor({ chain, payouts, payoutSigner, reserveAddresses, proceedsAddresses }: Config): SendingPorts | undefined {
  if (chain === undefined || payouts === undefined || payoutSigner === undefined) return undefined
  const { coin, usd, hourCoin, hourUsd, maxGasGwei, inFlight } = payouts
  return {
    rpcUrl: chain.rpcUrl,
    secondRpcUrl: chain.secondRpcUrl,
    signer: () => openSigner(payoutSigner),
    rules: {
      chainId: chain.chainId,
      confirmations: chain.confirmations,
      maxGasPrice: BigInt(maxGasGwei) * GWEI,
      inFlight,
      hourLimits: new Map([
        [coin.token, toSmallestUnit(hourCoin, coin.decimals)],
        [usd.token, toSmallestUnit(hourUsd, usd.decimals)],
      ]),
      ceilings: ceilingsOf(payouts),
      coldAddresses: reserveAddresses.map(({ address }) => address),
      proceedsAddresses: proceedsAddresses.map(({ address }) => address),
      stuckSeconds: STUCK_SECONDS,
    },
  }
}

/** Converts a whole number of tokens to the token's smallest unit. */
const toSmallestUnit = (amount: number, decimals: number): bigint => BigInt(amount) * 10n ** BigInt(decimals)

/** Returns the ceilings of the hot wallet, by token, in its smallest unit. */
export const ceilingsOf = ({ coin, usd }: NonNullable<Config['payouts']>): Map<string, bigint> =>
  new Map(
    [coin, usd].flatMap(({ token, decimals, ceiling }) =>
      ceiling === undefined ? [] : [[token, toSmallestUnit(ceiling, decimals)] as const],
    ),
  )

/** Creates the ports for token sweeps, if a key is configured. The first run decrypts the key. */
function sweepingFor({ chain, payouts, payoutSigner, sweep }: Config): TokenSweepPorts | undefined {
  if (chain === undefined || sweep === undefined) return undefined
  return {
    rpcUrl: chain.rpcUrl,
    secondRpcUrl: chain.secondRpcUrl,
    keys: () => openBranch(sweep.keystore, chain.xpub),
    async to() {
      if (sweep.to !== undefined) return sweep.to
      if (payoutSigner === undefined) throw new Error('set SWEEP_TO: the target of token sweeps is unknown')
      return (await openSigner(payoutSigner)).address
    },
    rules: {
      chainId: chain.chainId,
      confirmations: chain.confirmations,
      maxGasPrice: BigInt(payouts?.maxGasGwei ?? GAS_GWEI) * GWEI,
      minAmounts: new Map([
        [chain.token, toSmallestUnit(sweep.minCoin, chain.decimals)],
        ...(chain.usd === undefined ? [] : ([[chain.usd.token, toSmallestUnit(sweep.minUsd, chain.usd.decimals)]] as const)),
      ]),
    },
  }
}
