import { keep, readKept } from './kept.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The colours that the user chose. */
export const readTheme = (): Theme => readKept<Theme>('theme', 'system')

/** Shows the page in these colours, and keeps the choice. */
export function applyTheme(theme: Theme): void {
  keep('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  dispatchEvent(new Event('quoin-theme'))
}
