import { render } from 'preact'
import { App } from './App.tsx'
import { applyTheme, readTheme } from './data/theme.ts'

applyTheme(readTheme())
render(<App />, document.getElementById('app')!)
