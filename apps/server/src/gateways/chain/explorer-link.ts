import type { Config } from '../../platform/config/config.ts'

/** Returns the explorer's URL for a transaction; undefined if no explorer is configured. */
export function explorerLink({ explorerUrl }: Pick<Config, 'explorerUrl'>, hash: string | undefined): { txUrl?: string } {
  return explorerUrl === undefined || hash === undefined ? {} : { txUrl: `${explorerUrl}/tx/${hash}` }
}
