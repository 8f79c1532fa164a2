import { callRef, callsOf, type VenueAdapter, type VenueCall, type VenueRequest } from './adapter.ts';
import { namedCall } from './named-call.ts';

/** The call of an adapter that decodes what a request is answered with; undefined where none is made for it. */
export function callOfRequest(adapter: VenueAdapter, request: VenueRequest): VenueCall | undefined {
  return namedCall(callsOf(adapter), callRef(request.path, request.method, request.body));
}
