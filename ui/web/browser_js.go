package web

import "net/http"

// In a browser there is nobody to send a code to, and no program that reads the document.

func codeOf(string) *code { return nil }

func (s *Server) apiDocument(http.ResponseWriter, *http.Request) error { return errAlone }
