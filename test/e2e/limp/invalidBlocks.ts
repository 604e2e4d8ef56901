// Loaded into a node before its own code: what it proposes is invalid while a file says so.
import { register } from 'node:module'

if (process.env.QUOIN_LIMP_INVALID !== undefined) register('./invalidBlocksHooks.js', import.meta.url)
