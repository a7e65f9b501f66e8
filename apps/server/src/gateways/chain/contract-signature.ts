import { randomBytes } from 'node:crypto'
import { hex, hexInteger, parseAnswer } from './node-answers.ts'
import { connectWithCallErrors, isExecutionError, NodeUnavailable, NodeError } from './rpc.ts'

/** Timeout of a node's answer, in ms: a member waits for it. */
const TIMEOUT_MS = 5_000
/** Gas for a contract's check. Wallets that verify passkeys need about 2 million. */
const GAS = '0x989680'
/** First four bytes of `isValidSignature(bytes32,bytes)`, and the answer of a contract that accepts (EIP-1271). */
const SELECTOR = '1626ba7e'
const ACCEPTED = `0x${SELECTOR.padEnd(64, '0')}`

/** Answer of a contract: it rejects, accepts, or accepts the signature for any other message too. */
export type ContractVerdict = 'rejected' | 'accepted' | 'accepts-everything'

export interface ContractSignature {
  chainId: number
  /** Contract, lower case. */
  address: string
  /** Hash of the message, `0x` and 64 digits. */
  hash: string
  /** Signature, `0x` and full bytes. */
  signature: string
}

/**
 * Asks a contract at every source whether it accepts a signature (EIP-1271). An address without code rejects.
 * @param urls JSON-RPC addresses, each one a list separated by commas
 * @throws NodeUnavailable if a source is away, refuses a call, belongs to another chain, or disagrees with another source
 */
export async function contractVerdict(urls: readonly (string | undefined)[], asked: ContractSignature): Promise<ContractVerdict> {
  const sources = urls.flatMap((list) => (list ?? '').split(',')).filter((url) => url.trim() !== '')
  const verdicts = new Set(await Promise.all(sources.map((url) => verdictOf(url, asked))))
  const [verdict] = verdicts
  if (verdict === undefined || verdicts.size > 1) throw new NodeUnavailable('the nodes disagree about a contract')
  return verdict
}

async function verdictOf(url: string, { chainId, address, hash, signature }: ContractSignature): Promise<ContractVerdict> {
  const check = (of: string) => ({ method: 'eth_call', params: [{ to: address, data: callData(of, signature), gas: GAS }, 'latest'] })
  const ask = connectWithCallErrors(url, TIMEOUT_MS)
  const answers = await ask([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getCode', params: [address, 'latest'] },
    check(hash),
    check(`0x${randomBytes(32).toString('hex')}`),
  ])
  const [chain, code, ...checks] = answers
  if (parseAnswer(hexInteger, chain) !== chainId) throw new NodeUnavailable('the node belongs to another chain')
  const [accepted = false, acceptsOther = false] = checks.map(isAccepted)
  if (parseAnswer(hex, code) === '0x' || !accepted) return 'rejected'
  return acceptsOther ? 'accepts-everything' : 'accepted'
}

/**
 * Returns true if the contract accepted. A contract that fails rejects, and so does one with another answer.
 * @throws NodeUnavailable if the node refused the call: a contract that accepts everything must not look like one that rejected a message
 */
function isAccepted(answer: unknown): boolean {
  if (!(answer instanceof NodeError)) return parseAnswer(hex, answer) === ACCEPTED
  if (isExecutionError(answer)) return false
  throw new NodeUnavailable('the node refused to ask the contract', { cause: answer })
}

function callData(hash: string, signature: string): string {
  const bytes = signature.slice(2)
  const word = (value: number) => value.toString(16).padStart(64, '0')
  return `0x${SELECTOR}${hash.slice(2)}${word(64)}${word(bytes.length / 2)}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`
}
