import type { Config } from '../../platform/config/config.ts'

/** Where an explorer of the chain shows a transaction; nothing where none is configured. */
export function explorerLink({ explorerUrl }: Pick<Config, 'explorerUrl'>, hash: string | undefined): { txUrl?: string } {
  return explorerUrl === undefined || hash === undefined ? {} : { txUrl: `${explorerUrl}/tx/${hash}` }
}
