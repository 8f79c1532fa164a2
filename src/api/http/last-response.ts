import { type IncomingMessage, ServerResponse } from 'node:http';

/**
 * A response on a connection that Node.js reads no more requests from, as it does for one that asked for another protocol. No byte
 * is parsed again, so nothing that came behind its head can be read as a request: the connection ends with the response.
 */
export function lastResponse(request: IncomingMessage): ServerResponse {
  const { socket } = request;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // Node.js has taken its own listeners off. One that sends no more gets what was written, as on any other connection.
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.end());
  socket.on('drain', () => response.emit('drain'));
  response.once('finish', () => socket.destroySoon());
  response.assignSocket(socket);
  // Unless it is read, nothing says that the client is gone.
  socket.resume();
  return response;
}
