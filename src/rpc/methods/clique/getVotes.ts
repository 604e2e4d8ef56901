import { getVotes } from '../shared/getVotes.ts'

export const clique_getVotes = getVotes('clique')
