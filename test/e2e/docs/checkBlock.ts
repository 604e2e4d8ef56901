import { parse } from 'smol-toml'
import { readQuoin } from './quoinCommand.ts'
import type { Block } from './readPage.ts'
import { splitCommands, syntaxFault } from './shell.ts'

/** Checks what can be seen of a block without running it: syntax, and the options of Quoin's commands. */
export function checkBlock({ language, text, notRun, file }: Block): void {
  if (notRun === '') throw new Error('the page does not say why this is not run')
  if (language === 'json') JSON.parse(text)
  else if (language === 'toml') parse(text)
  else if (language === 'sh') {
    const fault = syntaxFault(text)
    if (fault) throw new Error(fault)
    for (const command of splitCommands(text)) readQuoin(command)
  } else if (language === '') throw new Error('the block does not say its language')
  else if (!file && !notRun && language !== 'text') throw new Error('the paragraph above does not name a file')
}
