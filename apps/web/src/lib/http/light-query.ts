/**
 * Replaces the query library's unused parts in the build (vite.config.ts). `useMoneyForm` sends money calls; a mutation could retry them.
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
