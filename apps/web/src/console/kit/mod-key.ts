/** Name of the `mod` key in shortcuts: ⌘ on a Mac, Ctrl elsewhere. Both keys work everywhere. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
