/** The name of the key that `mod` stands for in a shortcut: ⌘ on a Mac, Ctrl elsewhere. Both keys work everywhere. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
