import { type ComponentType, useEffect, useState } from 'react'

/** A module whose default export is a component. */
export interface Loadable<Props> {
  /** Returns the component, or undefined until it is loaded. */
  loaded: () => ComponentType<Props> | undefined
  load: () => Promise<unknown>
}

/** Creates a loadable module, which loads at most once. */
export function loadable<Props>(load: () => Promise<{ default: ComponentType<Props> }>): Loadable<Props> {
  let component: ComponentType<Props> | undefined
  return {
    loaded: () => component,
    load: async () => {
      component ??= (await load()).default
    },
  }
}

/**
 * Loads a module, and returns its component as soon as it is loaded. Unlike `lazy` in `Suspense`: React keeps the fallback of a
 * `Suspense` for at least 300 ms.
 * @throws the error of a failed load, while rendering
 */
export function useLoaded<Props>(module: Loadable<Props>): ComponentType<Props> | undefined {
  const [failure, setFailure] = useState<{ of: Loadable<Props>; error: Error }>()
  const [, setLoads] = useState(0)
  useEffect(() => {
    if (module.loaded() !== undefined) return
    let isCurrent = true
    module.load().then(
      () => isCurrent && setLoads((loads) => loads + 1),
      (error: unknown) => isCurrent && setFailure({ of: module, error: error instanceof Error ? error : new Error(String(error)) }),
    )
    return () => {
      isCurrent = false
    }
  }, [module])
  if (failure?.of === module) throw failure.error
  return module.loaded()
}
