/**
 * Stands in the build for what the query library brings along and nobody here uses (vite.config.ts). Money goes out by
 * `useMoneyForm`, never by a mutation that might be sent again.
 */
export class MutationCache {
  readonly clear = (): void => undefined
  readonly resumePausedMutations = (): Promise<void> => Promise.resolve()
  build(): never {
    throw new Error('There are no mutations in this build')
  }
}

export function infiniteQueryBehavior(): never {
  throw new Error('There are no endless lists in this build')
}

export const hasNextPage = (): boolean => false
export const hasPreviousPage = (): boolean => false
