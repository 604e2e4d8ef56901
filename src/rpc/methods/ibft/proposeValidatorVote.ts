import { proposeValidatorVote } from '../../validators/proposeValidatorVote.ts'

export const ibft_proposeValidatorVote = proposeValidatorVote('ibft')
