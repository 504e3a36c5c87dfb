// Where an app that was at this address before keeps its service worker: browsers look here for a newer one, and would
// else show that app's page for ever. Ours deletes what it stored, and passes pages on to the server.
importScripts('/worker.js');
